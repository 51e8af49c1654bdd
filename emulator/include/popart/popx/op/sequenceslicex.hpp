#ifndef popart_popx_op_sequenceslicex_hpp
#define popart_popx_op_sequenceslicex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SequenceSliceOpx : public Opx {
 public:
  SequenceSliceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SequenceSliceOpx"), nullptr) {}
};

class SequenceSliceInplaceOpx : public Opx {
 public:
  SequenceSliceInplaceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SequenceSliceInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sequenceslicex_hpp
