#ifndef popart_patterns_negativeonescalepattern_hpp
#define popart_patterns_negativeonescalepattern_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/patterns/sequenceexpander.hpp>
#include <vector>

namespace popart {

class Op;
class NegativeOneScalePattern : public SequenceExpander {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::NegativeOneScalePattern::matches");
  }

 private:
  std::vector<std::unique_ptr<Op>> sequence(Op*) const override {
    emulator::missing("popart::NegativeOneScalePattern::sequence");
  }
};

}  // namespace popart

#endif  // popart_patterns_negativeonescalepattern_hpp
