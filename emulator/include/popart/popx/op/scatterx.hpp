#ifndef popart_popx_op_scatterx_hpp
#define popart_popx_op_scatterx_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/scatterreducex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <popops/DynamicSlice.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ScatterOpx : public ScatterReduceOpx {
 public:
  ScatterOpx(Op*, Devicex*)
      : ScatterReduceOpx(emulator::absent<Op*>("popart::popx::ScatterOpx"), nullptr) {}
};

class ScatterDataGradOpx : public Opx {
 public:
  ScatterDataGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ScatterDataGradOpx"), nullptr) {}
};

class ScatterUpdateGradOpx : public Opx {
 public:
  ScatterUpdateGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ScatterUpdateGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scatterx_hpp
