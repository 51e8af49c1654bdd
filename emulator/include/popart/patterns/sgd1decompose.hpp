#ifndef popart_patterns_sgd1decompose_hpp
#define popart_patterns_sgd1decompose_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/optimizerdecompose.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SGD1Decompose : public OptimizerDecompose {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SGD1Decompose::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SGD1Decompose::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SGD1Decompose::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_sgd1decompose_hpp
