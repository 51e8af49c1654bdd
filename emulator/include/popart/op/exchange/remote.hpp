#ifndef popart_op_exchange_remote_hpp
#define popart_op_exchange_remote_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/exchange/remotebase.hpp>

namespace popart {

class RemoteStoreOp : public RemoteBaseOp {
 public:
  template <class... Args>
  explicit RemoteStoreOp(const Args&...)
      : RemoteBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteStoreOp")) {}
};

class RemoteLoadOp : public RemoteBaseOp {
 public:
  template <class... Args>
  explicit RemoteLoadOp(const Args&...)
      : RemoteBaseOp(emulator::absent<const OperatorIdentifier>("popart::RemoteLoadOp")) {}
  static int getLocalTensorOutIndex() { return 0; }
};

class RemoteLoadInplaceOp : public RemoteLoadOp {
 public:
  template <class... Args>
  explicit RemoteLoadInplaceOp(const Args&...)
      : RemoteLoadOp(emulator::absent<const OperatorIdentifier>("popart::RemoteLoadInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_exchange_remote_hpp
