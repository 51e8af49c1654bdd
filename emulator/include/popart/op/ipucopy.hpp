#ifndef popart_op_ipucopy_hpp
#define popart_op_ipucopy_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/error.hpp>
#include <popart/graph.hpp>
#include <popart/ir.hpp>
#include <popart/logging.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/sessionoptions.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/tensorlocation.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
using SourceIpuMap = std::map<TensorId, VGraphId>;

using SourceTensorMap = std::map<VGraphId, std::vector<TensorId>>;

class IpuCopyOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit IpuCopyOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::IpuCopyOp")) {}
  VGraphId getDestIpu() const { emulator::missing("popart::IpuCopyOp::getDestIpu"); }
  const SourceIpuMap& getSourceIpus() const {
    emulator::missing("popart::IpuCopyOp::getSourceIpus");
  }
  const SourceTensorMap& getSourceTensors() const {
    emulator::missing("popart::IpuCopyOp::getSourceTensors");
  }
  VGraphId getSourceIpu(const TensorId&) const {
    emulator::missing("popart::IpuCopyOp::getSourceIpu");
  }
  VGraphId getSourceIpu() const { emulator::missing("popart::IpuCopyOp::getSourceIpu"); }
  VGraphId getMinSourceIpu() const { emulator::missing("popart::IpuCopyOp::getMinSourceIpu"); }
  VGraphId getMaxSourceIpu() const { emulator::missing("popart::IpuCopyOp::getMaxSourceIpu"); }
  void setSourceIpus(const SourceIpuMap) { emulator::missing("popart::IpuCopyOp::setSourceIpus"); }
  void setSourceTensors(const SourceTensorMap) {
    emulator::missing("popart::IpuCopyOp::setSourceTensors");
  }
  std::string getFromToStr() const { emulator::missing("popart::IpuCopyOp::getFromToStr"); }
};

}  // namespace popart

#endif  // popart_op_ipucopy_hpp
