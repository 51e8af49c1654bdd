#ifndef popart_patterns_likeopspattern_hpp
#define popart_patterns_likeopspattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/graph.hpp>
#include <popart/op.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Tensor;
template <class L>
class LikeOpsPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::LikeOpsPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::LikeOpsPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::LikeOpsPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_likeopspattern_hpp
