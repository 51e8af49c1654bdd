#ifndef popart_popx_op_collectives_allreducex_hpp
#define popart_popx_op_collectives_allreducex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AllReduceOpx : public Opx {
 public:
  AllReduceOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::AllReduceOpx"), nullptr) {}

 protected:
  CollectiveOperator op;
  int numInputs;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_allreducex_hpp
