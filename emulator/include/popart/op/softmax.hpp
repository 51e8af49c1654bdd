#ifndef popart_op_softmax_hpp
#define popart_op_softmax_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <popart/vendored/optional.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SoftmaxOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SoftmaxOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SoftmaxOp"),
                           emulator::absent<const Op::Settings>("popart::SoftmaxOp")) {}
  int64_t getAxis() const { emulator::missing("popart::SoftmaxOp::getAxis"); }
  void setAxis(int64_t) { emulator::missing("popart::SoftmaxOp::setAxis"); }
};

class SoftmaxInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SoftmaxInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SoftmaxInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SoftmaxInplaceOp")) {}
  int64_t getAxis() const { emulator::missing("popart::SoftmaxInplaceOp::getAxis"); }
};

class SoftmaxGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SoftmaxGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SoftmaxGradOp")) {}
  int64_t getAxis() const { emulator::missing("popart::SoftmaxGradOp::getAxis"); }
  static InIndex getGradProbsInIndex() { return 0; }
  static InIndex getProbsInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

class SoftmaxGradDirectOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SoftmaxGradDirectOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::SoftmaxGradDirectOp")) {}
  bool hasNlllFwdOp() const { emulator::missing("popart::SoftmaxGradDirectOp::hasNlllFwdOp"); }
  Op* nlllFwdOp() const { emulator::missing("popart::SoftmaxGradDirectOp::nlllFwdOp"); }
  static InIndex getProbsInIndex() { return 0; }
  static InIndex getLabelInIndex() { return 1; }
  static InIndex getGradProbsInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  ReductionType getReductionType() const {
    emulator::missing("popart::SoftmaxGradDirectOp::getReductionType");
  }
  bool hasIgnoreIndex() const { emulator::missing("popart::SoftmaxGradDirectOp::hasIgnoreIndex"); }
  nonstd::optional<int> getOptionalIgnoreIndex() const {
    emulator::missing("popart::SoftmaxGradDirectOp::getOptionalIgnoreIndex");
  }
  int getIgnoreIndex() const { emulator::missing("popart::SoftmaxGradDirectOp::getIgnoreIndex"); }
};

class NlllWithSoftmaxGradDirectOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit NlllWithSoftmaxGradDirectOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::NlllWithSoftmaxGradDirectOp")) {}
  Op* nlllFwdOp() const { emulator::missing("popart::NlllWithSoftmaxGradDirectOp::nlllFwdOp"); }
  static InIndex getProbsInIndex() { return 0; }
  static InIndex getLabelInIndex() { return 1; }
  static InIndex getGradProbsInIndex() { return 2; }
  static OutIndex getLossOutIndex() { return 0; }
  static OutIndex getGradOutIndex() { return 1; }
  ReductionType getReductionType() const {
    emulator::missing("popart::NlllWithSoftmaxGradDirectOp::getReductionType");
  }
  bool hasIgnoreIndex() const {
    emulator::missing("popart::NlllWithSoftmaxGradDirectOp::hasIgnoreIndex");
  }
  int getIgnoreIndex() const {
    emulator::missing("popart::NlllWithSoftmaxGradDirectOp::getIgnoreIndex");
  }
};

}  // namespace popart

#endif  // popart_op_softmax_hpp
