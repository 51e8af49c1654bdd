#ifndef popart_op_exchange_codecopy_hpp
#define popart_op_exchange_codecopy_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphid.hpp>
#include <popart/op.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/tensorlocation.hpp>

namespace popart {

struct OperatorIdentifier;
class RemoteCodeLoadOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit RemoteCodeLoadOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteCodeLoadOp")) {}
  ExchangeDescriptor getExchangeDescriptor(int) const override {
    emulator::missing("popart::RemoteCodeLoadOp::getExchangeDescriptor");
  }
};

class InternalCodeCopyOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InternalCodeCopyOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::InternalCodeCopyOp")) {}
};

}  // namespace popart

#endif  // popart_op_exchange_codecopy_hpp
