#ifndef popart_op_exchange_hostcopy_hpp
#define popart_op_exchange_hostcopy_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/op/exchange/hostbase.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

class AliasModel;
class ReplicaEqualAnalysisProxy;
struct OperatorIdentifier;
class HostLoadOp : public HostBaseOp {
 public:
  template <class... Args>
  explicit HostLoadOp(const Args&...)
      : HostBaseOp(emulator::absent<const OperatorIdentifier>("popart::HostLoadOp")) {}
  static OutIndex getLocalTensorOutIndex() { return 0; }
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::HostLoadOp::fwdPropagateIsReplicaEqual");
  }
  ExchangeDescriptor getExchangeDescriptor(int) const override {
    emulator::missing("popart::HostLoadOp::getExchangeDescriptor");
  }
};

class HostLoadInplaceOp : public HostLoadOp {
 public:
  template <class... Args>
  explicit HostLoadInplaceOp(const Args&...)
      : HostLoadOp(emulator::absent<const OperatorIdentifier>("popart::HostLoadInplaceOp")) {}
  virtual ExchangeDescriptor getExchangeDescriptor(int) const {
    emulator::missing("popart::HostLoadInplaceOp::getExchangeDescriptor");
  }
};

class HostStoreOp : public HostBaseOp {
 public:
  template <class... Args>
  explicit HostStoreOp(const Args&...)
      : HostBaseOp(emulator::absent<const OperatorIdentifier>("popart::HostStoreOp")) {}
  ExchangeDescriptor getExchangeDescriptor(int) const override {
    emulator::missing("popart::HostStoreOp::getExchangeDescriptor");
  }
};

}  // namespace popart

#endif  // popart_op_exchange_hostcopy_hpp
