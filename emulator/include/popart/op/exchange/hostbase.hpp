#ifndef popart_op_exchange_hostbase_hpp
#define popart_op_exchange_hostbase_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/exchange/exchange.hpp>

namespace popart {

class HostBaseOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit HostBaseOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::HostBaseOp")) {}
  static int getLocalTensorInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_exchange_hostbase_hpp
