#ifndef popart_popx_op_topkx_hpp
#define popart_popx_op_topkx_hpp

#include <cstddef>
#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/popx/op/basesortx.hpp>
#include <popart/popx/opx.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class TopKOpx : public BaseSortOpx {
 public:
  TopKOpx(Op*, Devicex*) : BaseSortOpx(emulator::absent<Op*>("popart::popx::TopKOpx"), nullptr) {}
};

class TopKGradOpx : public Opx {
 public:
  TopKGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::TopKGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_topkx_hpp
