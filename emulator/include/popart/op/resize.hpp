#ifndef popart_op_resize_hpp
#define popart_op_resize_hpp

#include <iosfwd>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
enum class ResizeMode { Nearest, Linear, Cubic, N };

inline std::string toString(const ResizeMode&) { emulator::missing("popart::toString"); }

inline std::ostream& operator<<(std::ostream&, const ResizeMode&) {
  emulator::missing("popart::operator<<");
}

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
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  ResizeMode getMode() const { emulator::missing("popart::ResizeOp::getMode"); }
  const std::vector<float>& getScales() const { emulator::missing("popart::ResizeOp::getScales"); }
  ResizeNearestMode getNearestMode() const {
    emulator::missing("popart::ResizeOp::getNearestMode");
  }
  ResizeCoordinateTransformationMode getCoordinateTransformationMode() const {
    emulator::missing("popart::ResizeOp::getCoordinateTransformationMode");
  }
};

class ResizeGradOp : public ResizeOp {
 public:
  template <class... Args>
  explicit ResizeGradOp(const Args&...)
      : ResizeOp(emulator::absent<const OperatorIdentifier>("popart::ResizeGradOp")) {}
  const std::vector<float> getFwdScales() const {
    emulator::missing("popart::ResizeGradOp::getFwdScales");
  }
};

}  // namespace popart

#endif  // popart_op_resize_hpp
