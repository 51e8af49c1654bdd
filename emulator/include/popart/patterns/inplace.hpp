#ifndef popart_patterns_inplace_hpp
#define popart_patterns_inplace_hpp

#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
struct OperatorIdentifier;
class ExternOpTensorBundle {
 public:
  ExternOpTensorBundle(Op*, std::unique_ptr<Op>) {
    emulator::missing("popart::ExternOpTensorBundle");
  }
  Op* getOp() { emulator::missing("popart::ExternOpTensorBundle::getOp"); }
};

class Inplace : public Pattern {
 public:
  Inplace() { emulator::missing("popart::Inplace"); }
  std::vector<const Tensor*> touches(Op*, OperatorIdentifier) const {
    emulator::missing("popart::Inplace::touches");
  }
  bool apply(Op*, OperatorIdentifier, const OpsBeforeKey&) const {
    emulator::missing("popart::Inplace::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_inplace_hpp
