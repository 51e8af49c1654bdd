#ifndef popart_op_exchange_multiexchange_hpp
#define popart_op_exchange_multiexchange_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/exchange/exchange.hpp>

namespace popart {

class MultiExchangeOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit MultiExchangeOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::MultiExchangeOp")) {}
};

}  // namespace popart

#endif  // popart_op_exchange_multiexchange_hpp
