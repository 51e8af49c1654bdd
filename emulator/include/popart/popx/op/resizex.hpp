#ifndef popart_popx_op_resizex_hpp
#define popart_popx_op_resizex_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/op/resize.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
struct ResizeParams {
  Shape inShape;
  Shape outShape;
  std::vector<float> scales;
  ResizeMode mode;
  ResizeNearestMode nearestMode;
  ResizeCoordinateTransformationMode coordinateTransformationMode;
};

class ResizeOpx : public Opx {
 public:
  ResizeOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::ResizeOpx"), nullptr) {}
};

class ResizeGradOpx : public Opx {
 public:
  ResizeGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ResizeGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_resizex_hpp
