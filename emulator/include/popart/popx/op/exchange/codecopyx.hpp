#ifndef popart_popx_op_exchange_codecopyx_hpp
#define popart_popx_op_exchange_codecopyx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/exchange/exchangex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class RemoteCodeLoadOpx : public ExchangeBaseOpx {
 public:
  RemoteCodeLoadOpx(Op*, Devicex*)
      : ExchangeBaseOpx(emulator::absent<Op*>("popart::popx::RemoteCodeLoadOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_exchange_codecopyx_hpp
