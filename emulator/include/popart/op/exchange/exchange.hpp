#ifndef popart_op_exchange_exchange_hpp
#define popart_op_exchange_exchange_hpp

#include <iosfwd>
#include <memory>
#include <popart/basicoptionals.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorlocation.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

struct OperatorIdentifier;
enum class ExchangeStrategy {
  JustInTime = 0,
  OverlapInnerLoop = 1,
  OverlapLoops = 2,
  OverlapStep = 3,
  N = 4
};

inline std::ostream& operator<<(std::ostream&, const ExchangeStrategy&) {
  emulator::missing("popart::operator<<");
}

enum class ExchangeDirection { Load = 0, Store = 1, N = 2 };

inline std::ostream& operator<<(std::ostream&, const ExchangeDirection&) {
  emulator::missing("popart::operator<<");
}

class ExchangeDescriptor {
 public:
  ExchangeDescriptor(ExchangeDirection, TensorId, OptionalVGraphId, TileSet, int, int, bool) {
    emulator::missing("popart::ExchangeDescriptor");
  }
  ExchangeDescriptor(ExchangeDirection, RemoteBufferId, OptionalVGraphId, TileSet, int, int, bool) {
    emulator::missing("popart::ExchangeDescriptor");
  }
  ExchangeDescriptor(ExchangeDirection, GraphId, TileSet, CodeMemoryType) {
    emulator::missing("popart::ExchangeDescriptor");
  }
  const ExchangeDirection& getDirection() const {
    emulator::missing("popart::ExchangeDescriptor::getDirection");
  }
  bool isRemoteExchange() const {
    emulator::missing("popart::ExchangeDescriptor::isRemoteExchange");
  }
  bool isHostExchange() const { emulator::missing("popart::ExchangeDescriptor::isHostExchange"); }
  bool isCodeCopy() const { emulator::missing("popart::ExchangeDescriptor::isCodeCopy"); }
  const RemoteBufferId& getRemoteBufferId() const {
    emulator::missing("popart::ExchangeDescriptor::getRemoteBufferId");
  }
  void setRemoteBufferId(RemoteBufferId) {
    emulator::missing("popart::ExchangeDescriptor::setRemoteBufferId");
  }
  const TensorId& getHostStreamTensorId() const {
    emulator::missing("popart::ExchangeDescriptor::getHostStreamTensorId");
  }
  const OptionalGraphId& getGraphToLoadId() const {
    emulator::missing("popart::ExchangeDescriptor::getGraphToLoadId");
  }
  OptionalCodeMemoryType getDestinationCodeMemoryType() const {
    emulator::missing("popart::ExchangeDescriptor::getDestinationCodeMemoryType");
  }
  const std::string getResourceId() const {
    emulator::missing("popart::ExchangeDescriptor::getResourceId");
  }
  OptionalVGraphId getVGraphID() const {
    emulator::missing("popart::ExchangeDescriptor::getVGraphID");
  }
  TileSet getTileSet() const { emulator::missing("popart::ExchangeDescriptor::getTileSet"); }
  int getNumInputs() const { emulator::missing("popart::ExchangeDescriptor::getNumInputs"); }
  int getNumOutputs() const { emulator::missing("popart::ExchangeDescriptor::getNumOutputs"); }
  bool isInplace() const { emulator::missing("popart::ExchangeDescriptor::isInplace"); }
};

inline std::ostream& operator<<(std::ostream&, const ExchangeDescriptor&) {
  emulator::missing("popart::operator<<");
}

class ExchangeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExchangeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExchangeBaseOp")) {}
  virtual int getNumExchanges() const { return 1; }
  virtual ExchangeDescriptor getExchangeDescriptor(int) const = 0;
  virtual std::pair<int, int> inIndexToDescriptorIndex(InIndex) const {
    emulator::missing("popart::ExchangeBaseOp::inIndexToDescriptorIndex");
  }
  virtual std::pair<int, int> outIndexToDescriptorIndex(OutIndex) const {
    emulator::missing("popart::ExchangeBaseOp::outIndexToDescriptorIndex");
  }
  virtual std::vector<InIndex> descriptorIndexToInIndices(int) const {
    emulator::missing("popart::ExchangeBaseOp::descriptorIndexToInIndices");
  }
  virtual std::vector<OutIndex> descriptorIndexToOutIndices(int) const {
    emulator::missing("popart::ExchangeBaseOp::descriptorIndexToOutIndices");
  }
};

}  // namespace popart

#endif  // popart_op_exchange_exchange_hpp
