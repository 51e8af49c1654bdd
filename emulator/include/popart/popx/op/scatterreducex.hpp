#ifndef popart_popx_op_scatterreducex_hpp
#define popart_popx_op_scatterreducex_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <popops/DynamicSlice.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;

class ScatterReduceOpx : public Opx {
 public:
  ScatterReduceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ScatterReduceOpx"), nullptr) {}
};

class ScatterReduceGradOpx : public Opx {
 public:
  ScatterReduceGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ScatterReduceGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scatterreducex_hpp
