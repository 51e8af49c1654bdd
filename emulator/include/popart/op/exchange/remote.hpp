#ifndef popart_op_exchange_remote_hpp
#define popart_op_exchange_remote_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/op/exchange/remotebase.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class RemoteStoreOp : public RemoteBaseOp {
 public:
  template <class... Args>
  explicit RemoteStoreOp(const Args&...)
      : RemoteBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteStoreOp")) {}
  ExchangeDescriptor getExchangeDescriptor(int) const override {
    emulator::missing("popart::RemoteStoreOp::getExchangeDescriptor");
  }
};

class RemoteLoadOp : public RemoteBaseOp {
 public:
  template <class... Args>
  explicit RemoteLoadOp(const Args&...)
      : RemoteBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteLoadOp")) {}
  static OutIndex getLocalTensorOutIndex() { return 0; }
  ExchangeDescriptor getExchangeDescriptor(int) const override {
    emulator::missing("popart::RemoteLoadOp::getExchangeDescriptor");
  }
};

class RemoteLoadInplaceOp : public RemoteLoadOp {
 public:
  template <class... Args>
  explicit RemoteLoadInplaceOp(const Args&...)
      : RemoteLoadOp(emulator::absent<const OperatorIdentifier>("popart::RemoteLoadInplaceOp")) {}
  virtual ExchangeDescriptor getExchangeDescriptor(int) const {
    emulator::missing("popart::RemoteLoadInplaceOp::getExchangeDescriptor");
  }
};

}  // namespace popart

#endif  // popart_op_exchange_remote_hpp
