#ifndef popart_patterns_sgd2decompose_hpp
#define popart_patterns_sgd2decompose_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/optimizerdecompose.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SGD2Decompose : public OptimizerDecompose {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SGD2Decompose::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SGD2Decompose::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SGD2Decompose::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_sgd2decompose_hpp
