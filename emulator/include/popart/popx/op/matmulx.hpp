#ifndef popart_popx_op_matmulx_hpp
#define popart_popx_op_matmulx_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <set>
#include <utility>
#include <vector>

namespace popart {

class MatMulOp;
class MatMulBaseOp;
class Op;

namespace popx {

class Devicex;

}

enum class MatMulPartialsType;

namespace popx {

class MatMulOpx : public Opx {
 public:
  MatMulOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::MatMulOpx"), nullptr) {}
  MatMulOp* getMatMulOp() const { emulator::missing("popart::popx::MatMulOpx::getMatMulOp"); }
  poplar::Type getOutputType(const poplar::Tensor&) const {
    emulator::missing("popart::popx::MatMulOpx::getOutputType");
  }
  static std::vector<std::size_t> onnxShapeToPoplar(const Shape&) {
    emulator::missing("popart::popx::MatMulOpx::onnxShapeToPoplar");
  }
  static void appendPoplarOptionsForOp(const MatMulBaseOp&, poplar::OptionFlags&) {
    emulator::missing("popart::popx::MatMulOpx::appendPoplarOptionsForOp");
  }
  static void addPartialsType(const MatMulPartialsType&, poplar::OptionFlags&) {
    emulator::missing("popart::popx::MatMulOpx::addPartialsType");
  }
  static std::pair<poplar::Tensor, poplar::Tensor> groupedMatMulInputsFromOpxInputs(
      MatMulBaseOp&, poplar::Tensor, poplar::Tensor) {
    emulator::missing("popart::popx::MatMulOpx::groupedMatMulInputsFromOpxInputs");
  }
  void verifyCacheSizeUnchanged(size_t) const {
    emulator::missing("popart::popx::MatMulOpx::verifyCacheSizeUnchanged");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_matmulx_hpp
