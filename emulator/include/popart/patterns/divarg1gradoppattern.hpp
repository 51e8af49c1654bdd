#ifndef popart_patterns_divarg1gradoppattern_hpp
#define popart_patterns_divarg1gradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/binarygradoppattern.hpp>

namespace popart {

class Ir;
class Op;
class Tensor;
class DivArg1GradOpPattern : public BinaryGradOpPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::DivArg1GradOpPattern::matches"); }

 protected:
  TensorId makeAllReplacementOps(Op*, Ir*, const Tensor&, const Tensor&, const Tensor&,
                                 const Tensor&) const override {
    emulator::missing("popart::DivArg1GradOpPattern::makeAllReplacementOps");
  }
};

}  // namespace popart

#endif  // popart_patterns_divarg1gradoppattern_hpp
