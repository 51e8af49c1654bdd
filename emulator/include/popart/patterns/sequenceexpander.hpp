#ifndef popart_patterns_sequenceexpander_hpp
#define popart_patterns_sequenceexpander_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SequenceExpander : public PreAliasPattern {
 public:
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SequenceExpander::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SequenceExpander::apply"); }

 private:
  virtual std::vector<std::unique_ptr<Op>> sequence(Op*) const = 0;
};

}  // namespace popart

#endif  // popart_patterns_sequenceexpander_hpp
