#ifndef popart_op_exchange_multiexchange_hpp
#define popart_op_exchange_multiexchange_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/tensorlocation.hpp>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace popart {

class AliasModel;
class ReplicaEqualAnalysisProxy;
struct OperatorIdentifier;
using ExchangeDescriptors = std::vector<ExchangeDescriptor>;

class MultiExchangeOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit MultiExchangeOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::MultiExchangeOp")) {}
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::MultiExchangeOp::fwdPropagateIsReplicaEqual");
  }
  int numLoads() const { emulator::missing("popart::MultiExchangeOp::numLoads"); }
  int numStores() const { emulator::missing("popart::MultiExchangeOp::numStores"); }
  bool isRemote(int) { emulator::missing("popart::MultiExchangeOp::isRemote"); }
  void setRemoteBufferId(int, RemoteBufferId) {
    emulator::missing("popart::MultiExchangeOp::setRemoteBufferId");
  }
  RemoteBufferId getRemoteBufferId(int) const {
    emulator::missing("popart::MultiExchangeOp::getRemoteBufferId");
  }
  int getNumExchanges() const override {
    emulator::missing("popart::MultiExchangeOp::getNumExchanges");
  }
  ExchangeDescriptor getExchangeDescriptor(int) const override {
    emulator::missing("popart::MultiExchangeOp::getExchangeDescriptor");
  }
  std::pair<int, int> inIndexToDescriptorIndex(InIndex) const override {
    emulator::missing("popart::MultiExchangeOp::inIndexToDescriptorIndex");
  }
  std::pair<int, int> outIndexToDescriptorIndex(OutIndex) const override {
    emulator::missing("popart::MultiExchangeOp::outIndexToDescriptorIndex");
  }
  std::vector<InIndex> descriptorIndexToInIndices(int) const override {
    emulator::missing("popart::MultiExchangeOp::descriptorIndexToInIndices");
  }
  std::vector<OutIndex> descriptorIndexToOutIndices(int) const override {
    emulator::missing("popart::MultiExchangeOp::descriptorIndexToOutIndices");
  }
};

}  // namespace popart

#endif  // popart_op_exchange_multiexchange_hpp
