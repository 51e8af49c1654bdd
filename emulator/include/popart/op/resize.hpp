#ifndef popart_op_resize_hpp
#define popart_op_resize_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

enum class ResizeMode { Nearest, Linear, Cubic, N };
enum class ResizeNearestMode { RoundPreferFloor, RoundPreferCeil, Floor, Ceil, Pytorch, N };
enum class ResizeCoordinateTransformationMode {
  HalfPixel,
  PytorchHalfPixel,
  AlignCorners,
  Asymmetric,
  TfCropAndResize,
  N
};

class ResizeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ResizeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ResizeOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class ResizeGradOp : public ResizeOp {
 public:
  template <class... Args>
  explicit ResizeGradOp(const Args&...)
      : ResizeOp(emulator::absent<const OperatorIdentifier>("popart::ResizeGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_resize_hpp
