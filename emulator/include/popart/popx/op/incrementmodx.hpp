#ifndef popart_popx_op_incrementmodx_hpp
#define popart_popx_op_incrementmodx_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>

namespace popart {

class Op;

namespace popx {

class Devicex;
template <typename T>
class IncrementModComputex : public EwuComputex {
 public:
  IncrementModComputex(const Op*) { emulator::missing("popart::popx::IncrementModComputex"); }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::IncrementModComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(const Op*) {
    emulator::missing("popart::popx::IncrementModComputex::get");
  }
  const Op* op;
  T increment;
  T modulus;
};

class IncrementModOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  IncrementModOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(emulator::absent<Op*>("popart::popx::IncrementModOpx"), nullptr,
                                    std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                        "popart::popx::IncrementModOpx"))) {}
};

class IncrementModInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  IncrementModInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::IncrementModInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::IncrementModInplaceOpx"))) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_incrementmodx_hpp
