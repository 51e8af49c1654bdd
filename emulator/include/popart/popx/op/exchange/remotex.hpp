#ifndef popart_popx_op_exchange_remotex_hpp
#define popart_popx_op_exchange_remotex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/op/exchange/exchangex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RemoteBaseOpx : public ExchangeBaseOpx {
 public:
  RemoteBaseOpx(Op*, Devicex*)
      : ExchangeBaseOpx(emulator::absent<Op*>("popart::popx::RemoteBaseOpx"), nullptr) {}
};

class RemoteStoreOpx : public RemoteBaseOpx {
 public:
  RemoteStoreOpx(Op*, Devicex*)
      : RemoteBaseOpx(emulator::absent<Op*>("popart::popx::RemoteStoreOpx"), nullptr) {}
};

class RemoteLoadOpx : public RemoteBaseOpx {
 public:
  RemoteLoadOpx(Op*, Devicex*)
      : RemoteBaseOpx(emulator::absent<Op*>("popart::popx::RemoteLoadOpx"), nullptr) {}
};

class RemoteLoadInplaceOpx : public RemoteLoadOpx {
 public:
  RemoteLoadInplaceOpx(Op*, Devicex*)
      : RemoteLoadOpx(emulator::absent<Op*>("popart::popx::RemoteLoadInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_exchange_remotex_hpp
