#ifndef popart_popx_op_exchange_hostcopyx_hpp
#define popart_popx_op_exchange_hostcopyx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/exchange/exchangex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class HostBaseOpx : public ExchangeBaseOpx {
 public:
  HostBaseOpx(Op*, Devicex*)
      : ExchangeBaseOpx(emulator::absent<Op*>("popart::popx::HostBaseOpx"), nullptr) {}
};

class HostLoadOpx : public HostBaseOpx {
 public:
  HostLoadOpx(Op*, Devicex*)
      : HostBaseOpx(emulator::absent<Op*>("popart::popx::HostLoadOpx"), nullptr) {}
};

class HostLoadInplaceOpx : public HostLoadOpx {
 public:
  HostLoadInplaceOpx(Op*, Devicex*)
      : HostLoadOpx(emulator::absent<Op*>("popart::popx::HostLoadInplaceOpx"), nullptr) {}
};

class HostStoreOpx : public HostBaseOpx {
 public:
  HostStoreOpx(Op*, Devicex*)
      : HostBaseOpx(emulator::absent<Op*>("popart::popx::HostStoreOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_exchange_hostcopyx_hpp
