#ifndef popart_op_exchange_exchange_hpp
#define popart_op_exchange_exchange_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/absent.hpp>

namespace popart {

enum class ExchangeStrategy {
  JustInTime = 0,
  OverlapInnerLoop = 1,
  OverlapLoops = 2,
  OverlapStep = 3,
  N = 4
};
enum class ExchangeDirection { Load = 0, Store = 1, N = 2 };

/// A copy between the device and the host or remote memory.
class ExchangeDescriptor {
 public:
  template <class... Args>
  explicit ExchangeDescriptor(const Args&...) {
    emulator::missing("popart::ExchangeDescriptor");
  }
};

class ExchangeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExchangeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExchangeBaseOp")) {}
};

}  // namespace popart

#endif  // popart_op_exchange_exchange_hpp
