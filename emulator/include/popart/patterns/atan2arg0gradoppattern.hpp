#ifndef popart_patterns_atan2arg0gradoppattern_hpp
#define popart_patterns_atan2arg0gradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/binarygradoppattern.hpp>

namespace popart {

class Ir;
class Op;
class Tensor;
class Atan2Arg0GradOpPattern : public BinaryGradOpPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::Atan2Arg0GradOpPattern::matches"); }

 protected:
  TensorId makeAllReplacementOps(Op*, Ir*, const Tensor&, const Tensor&, const Tensor&,
                                 const Tensor&) const override {
    emulator::missing("popart::Atan2Arg0GradOpPattern::makeAllReplacementOps");
  }
};

}  // namespace popart

#endif  // popart_patterns_atan2arg0gradoppattern_hpp
