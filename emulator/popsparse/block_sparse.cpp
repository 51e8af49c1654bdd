#include <popsparse/experimental/BlockSparseMatMul.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popsparse {
namespace experimental {

using namespace poplar;
using namespace poplar::program;

class BSMatMulImpl {};

namespace {

[[noreturn]] void refuse(const char* operation) {
  throw poputil::poplibs_error("popsparse::experimental::" + std::string(operation) +
                               ": products and softmax of matrices of blocks are not emulated");
}

}  // namespace

BSMatMulParams::BSMatMulParams(const std::array<int, 3>&, const std::array<int, 3>&,
                               const std::vector<unsigned char>&, bool, Type, Type, Type, unsigned)
    : impl(new BSMatMulImpl) {}
BSMatMulParams::BSMatMulParams(const std::array<int, 3>&, const std::array<int, 3>&,
                               const std::vector<unsigned char>&, Type, Type, Type, SubBlockMask,
                               unsigned)
    : impl(new BSMatMulImpl) {}
BSMatMulParams::BSMatMulParams(BSMatMulParams&& other) = default;
BSMatMulParams::~BSMatMulParams() = default;

Tensor createBSMatMulInputLHS(Graph&, const BSMatMulParams&, const DebugContext&,
                              const OptionFlags&) {
  refuse("createBSMatMulInputLHS");
}

Tensor createBSMatMulInputRHS(Graph&, const BSMatMulParams&, const DebugContext&,
                              const OptionFlags&) {
  refuse("createBSMatMulInputRHS");
}

Tensor bsMatMul(Graph&, const BSMatMulParams&, Sequence&, const Tensor&, const Tensor&,
                const OptionFlags&, const DebugContext&) {
  refuse("bsMatMul");
}

Tensor bsSoftmax(Graph&, Tensor, const std::array<int, 2>&, const std::array<int, 2>&,
                 const std::vector<unsigned char>&, SubBlockMask, unsigned, Sequence&,
                 const DebugContext&) {
  refuse("bsSoftmax");
}

void bsSoftmaxInPlace(Graph&, Tensor, const std::array<int, 2>&, const std::array<int, 2>&,
                      const std::vector<unsigned char>&, SubBlockMask, unsigned, Sequence&,
                      const DebugContext&) {
  refuse("bsSoftmaxInPlace");
}

Tensor bsSoftmaxGrad(Graph&, Tensor, Tensor, const std::array<int, 2>&, const std::array<int, 2>&,
                     const std::vector<unsigned char>&, Sequence&, const DebugContext&) {
  refuse("bsSoftmaxGrad");
}

}  // namespace experimental
}  // namespace popsparse
