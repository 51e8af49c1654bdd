#ifndef popart_op_exchange_hostbase_hpp
#define popart_op_exchange_hostbase_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/exchange/exchange.hpp>

namespace popart {

struct OperatorIdentifier;
class HostBaseOp : public ExchangeBaseOp {
 public:
  template <class... Args>
  explicit HostBaseOp(const Args&...)
      : ExchangeBaseOp(emulator::absent<const OperatorIdentifier>("popart::HostBaseOp")) {}
  static InIndex getLocalTensorInIndex() { return 0; }
  void setHostStreamTensorId(TensorId) {
    emulator::missing("popart::HostBaseOp::setHostStreamTensorId");
  }
  TensorId getHostStreamTensorId() const {
    emulator::missing("popart::HostBaseOp::getHostStreamTensorId");
  }
};

}  // namespace popart

#endif  // popart_op_exchange_hostbase_hpp
