#ifndef popart_patterns_sgd0decompose_hpp
#define popart_patterns_sgd0decompose_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/optimizerdecompose.hpp>
#include <vector>

namespace popart {

class Graph;
class Op;
class SGD0ComboOp;
class Tensor;
class SGD0Decompose : public OptimizerDecompose {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SGD0Decompose::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SGD0Decompose::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SGD0Decompose::apply"); }
  Op* varUpdateAndEraseCombo(Graph&, SGD0ComboOp*, const TensorId&, const TensorId&,
                             const TensorId&) const {
    emulator::missing("popart::SGD0Decompose::varUpdateAndEraseCombo");
  }
};

}  // namespace popart

#endif  // popart_patterns_sgd0decompose_hpp
