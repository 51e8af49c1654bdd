#ifndef popart_patterns_adaptivedecompose_hpp
#define popart_patterns_adaptivedecompose_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/optimizerdecompose.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class AdaptiveDecompose : public OptimizerDecompose {
 public:
  bool matches(Op*) const override { emulator::missing("popart::AdaptiveDecompose::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::AdaptiveDecompose::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::AdaptiveDecompose::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_adaptivedecompose_hpp
