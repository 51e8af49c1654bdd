#ifndef popart_op_exchange_remotebase_hpp
#define popart_op_exchange_remotebase_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/exchange/exchange.hpp>

namespace popart {

struct OperatorIdentifier;
class RemoteBaseOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit RemoteBaseOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteBaseOp")) {}
  virtual RemoteBufferId getRemoteBufferId() const {
    emulator::missing("popart::RemoteBaseOp::getRemoteBufferId");
  }
  static InIndex getLocalTensorInIndex() { return 0; }
  static InIndex getRemoteBufferOffsetInIndex() { return 1; }
  virtual void setRemoteBufferId(RemoteBufferId) {
    emulator::missing("popart::RemoteBaseOp::setRemoteBufferId");
  }

 protected:
  RemoteBufferId remoteBufferId;
};

}  // namespace popart

#endif  // popart_op_exchange_remotebase_hpp
