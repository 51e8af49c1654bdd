#ifndef popart_op_exchange_remotebase_hpp
#define popart_op_exchange_remotebase_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/exchange/exchange.hpp>

namespace popart {

class RemoteBaseOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit RemoteBaseOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteBaseOp")) {}
  static int getLocalTensorInIndex() { return 0; }
  static int getRemoteBufferOffsetInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_exchange_remotebase_hpp
