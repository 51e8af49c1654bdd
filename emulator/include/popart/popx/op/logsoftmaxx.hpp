#ifndef popart_popx_op_logsoftmaxx_hpp
#define popart_popx_op_logsoftmaxx_hpp

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LogSoftmaxComputex : public EwuComputex {
 public:
  LogSoftmaxComputex(int64_t, const std::vector<size_t>&) {
    emulator::missing("popart::popx::LogSoftmaxComputex");
  }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::LogSoftmaxComputex::inplace");
  }
};

class LogSoftmaxOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  LogSoftmaxOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::LogSoftmaxOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::LogSoftmaxOpx"))) {}
};

class LogSoftmaxInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  LogSoftmaxInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::LogSoftmaxInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::LogSoftmaxInplaceOpx"))) {}
};

class LogSoftmaxGradOpx : public ElementWiseUnaryOpx {
 public:
  LogSoftmaxGradOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::LogSoftmaxGradOpx"), nullptr) {}
  poplar::Tensor cloneNcopyGrouped(poplar::program::Sequence&, const poplar::Tensor&) const {
    emulator::missing("popart::popx::LogSoftmaxGradOpx::cloneNcopyGrouped");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_logsoftmaxx_hpp
