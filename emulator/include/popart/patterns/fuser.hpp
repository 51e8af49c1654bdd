#ifndef popart_patterns_fuser_hpp
#define popart_patterns_fuser_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
struct OperatorIdentifier;
class Fuser : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::Fuser::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::Fuser::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::Fuser::apply"); }

 private:
  virtual const OperatorIdentifier& get0() const = 0;
  virtual const OperatorIdentifier& get1() const = 0;
  virtual OpId moveMergedIntoIr(Op*) const = 0;
};

}  // namespace popart

#endif  // popart_patterns_fuser_hpp
