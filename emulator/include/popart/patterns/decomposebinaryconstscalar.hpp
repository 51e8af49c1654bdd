#ifndef popart_patterns_decomposebinaryconstscalar_hpp
#define popart_patterns_decomposebinaryconstscalar_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class DecomposeBinaryConstScalar : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::DecomposeBinaryConstScalar::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::DecomposeBinaryConstScalar::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::DecomposeBinaryConstScalar::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_decomposebinaryconstscalar_hpp
