#ifndef popart_popx_op_ipucopyx_hpp
#define popart_popx_op_ipucopyx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/namesx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class IpuCopyOpx : public Opx {
 public:
  IpuCopyOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::IpuCopyOpx"), nullptr) {}
  PreparedCopyTensors createPipelinedOutput() const {
    emulator::missing("popart::popx::IpuCopyOpx::createPipelinedOutput");
  }
  void growPipelined(poplar::program::Sequence&, PreparedCopyTensors) const {
    emulator::missing("popart::popx::IpuCopyOpx::growPipelined");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_ipucopyx_hpp
