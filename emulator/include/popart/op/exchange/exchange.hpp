#ifndef popart_op_exchange_exchange_hpp
#define popart_op_exchange_exchange_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ExchangeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExchangeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExchangeBaseOp")) {}
};

}  // namespace popart

#endif  // popart_op_exchange_exchange_hpp
