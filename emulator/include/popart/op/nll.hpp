#ifndef popart_op_nll_hpp
#define popart_op_nll_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/loss.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class NllOp : public LossOp {
 public:
  template <class... Args>
  explicit NllOp(const Args&...)
      : LossOp(emulator::absent<const OperatorIdentifier>("popart::NllOp"),
               emulator::absent<const Op::Settings>("popart::NllOp"),
               emulator::absent<ReductionType>("popart::NllOp")) {}
  static InIndex getProbsInIndex() { return 0; }
  static InIndex getLabelInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  bool hasIgnoreIndex() const { emulator::missing("popart::NllOp::hasIgnoreIndex"); }
  nonstd::optional<int> getOptionalIgnoreIndex() const {
    emulator::missing("popart::NllOp::getOptionalIgnoreIndex");
  }
  int getIgnoreIndex() const { emulator::missing("popart::NllOp::getIgnoreIndex"); }
  bool inputIsLogProbability() const { emulator::missing("popart::NllOp::inputIsLogProbability"); }
};

class NllGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit NllGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::NllGradOp")) {}
  static InIndex getProbsInIndex() { return 0; }
  static InIndex getLabelInIndex() { return 1; }
  static InIndex getGradInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  ReductionType getReductionType() const {
    emulator::missing("popart::NllGradOp::getReductionType");
  }
  bool hasIgnoreIndex() const { emulator::missing("popart::NllGradOp::hasIgnoreIndex"); }
  nonstd::optional<int> getOptionalIgnoreIndex() const {
    emulator::missing("popart::NllGradOp::getOptionalIgnoreIndex");
  }
  int getIgnoreIndex() const { emulator::missing("popart::NllGradOp::getIgnoreIndex"); }
  bool inputIsLogProbability() const {
    emulator::missing("popart::NllGradOp::inputIsLogProbability");
  }
  TensorId getLossTensorId() const { emulator::missing("popart::NllGradOp::getLossTensorId"); }
};

}  // namespace popart

#endif  // popart_op_nll_hpp
