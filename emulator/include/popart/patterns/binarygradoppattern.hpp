#ifndef popart_patterns_binarygradoppattern_hpp
#define popart_patterns_binarygradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Ir;
class Op;
class Tensor;
class BinaryGradOpPattern : public PreAliasPattern {
 public:
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::BinaryGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::BinaryGradOpPattern::apply"); }

 protected:
  virtual TensorId makeAllReplacementOps(Op*, Ir*, const Tensor&, const Tensor&, const Tensor&,
                                         const Tensor&) const = 0;
};

}  // namespace popart

#endif  // popart_patterns_binarygradoppattern_hpp
