#ifndef popart_popx_op_lrnx_hpp
#define popart_popx_op_lrnx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LRNOpx : public Opx {
 public:
  LRNOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::LRNOpx"), nullptr) {}
};

class LRNGradOpx : public Opx {
 public:
  LRNGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::LRNGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_lrnx_hpp
