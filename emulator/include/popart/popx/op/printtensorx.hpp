#ifndef popart_popx_op_printtensorx_hpp
#define popart_popx_op_printtensorx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <string>

namespace popart {

class Op;

namespace popx {

class Devicex;
class PrintTensorOpx : public Opx {
 public:
  PrintTensorOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::PrintTensorOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_printtensorx_hpp
