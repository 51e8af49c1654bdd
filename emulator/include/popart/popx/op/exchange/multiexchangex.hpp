#ifndef popart_popx_op_exchange_multiexchangex_hpp
#define popart_popx_op_exchange_multiexchangex_hpp

#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/exchange/exchangex.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxstate.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <set>
#include <utility>
#include <vector>

namespace popart {

class Op;
class Tensor;

namespace popx {

class Devicex;
class MultiExchangeOpx : public ExchangeBaseOpx {
 public:
  MultiExchangeOpx(Op*, Devicex*)
      : ExchangeBaseOpx(emulator::absent<Op*>("popart::popx::MultiExchangeOpx"), nullptr) {}
  std::vector<std::pair<int, int>> getSegments() const {
    emulator::missing("popart::popx::MultiExchangeOpx::getSegments");
  }
};

class MultiExchangeOpxState : public OpxState {
 public:
  std::map<int, poplar::program::Sequence> preSeqs;
  std::map<int, poplar::program::Sequence> exchangeSeqs;
  std::map<int, poplar::program::Sequence> postSeqs;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_exchange_multiexchangex_hpp
