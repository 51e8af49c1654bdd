#ifndef popart_op_exchange_hostcopy_hpp
#define popart_op_exchange_hostcopy_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/exchange/hostbase.hpp>

namespace popart {

class HostLoadOp : public HostBaseOp {
 public:
  template <class... Args>
  explicit HostLoadOp(const Args&...)
      : HostBaseOp(emulator::absent<const OperatorIdentifier>("popart::HostLoadOp")) {}
  static int getLocalTensorOutIndex() { return 0; }
};

class HostLoadInplaceOp : public HostLoadOp {
 public:
  template <class... Args>
  explicit HostLoadInplaceOp(const Args&...)
      : HostLoadOp(emulator::absent<const OperatorIdentifier>("popart::HostLoadInplaceOp")) {}
};

class HostStoreOp : public HostBaseOp {
 public:
  template <class... Args>
  explicit HostStoreOp(const Args&...)
      : HostBaseOp(emulator::absent<const OperatorIdentifier>("popart::HostStoreOp")) {}
};

}  // namespace popart

#endif  // popart_op_exchange_hostcopy_hpp
