#ifndef popart_op_dropout_hpp
#define popart_op_dropout_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/dropoutbase.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DropoutOp : public DropoutBaseOp {
 protected:
  template <class... Args>
  explicit DropoutOp(const Args&...)
      : DropoutBaseOp(emulator::absent<const OperatorIdentifier>("popart::DropoutOp")) {}

 public:
  static OutIndex getMaskOutIndex() { return 1; }
  void setOutputMask(bool) { emulator::missing("popart::DropoutOp::setOutputMask"); }
  bool getOutputMask() const { emulator::missing("popart::DropoutOp::getOutputMask"); }
  void setReferenceId(RandomReferenceId) { emulator::missing("popart::DropoutOp::setReferenceId"); }
  RandomReferenceId getReferenceId() const {
    emulator::missing("popart::DropoutOp::getReferenceId");
  }
  TensorId getReferenceTensorId() { emulator::missing("popart::DropoutOp::getReferenceTensorId"); }

 protected:
  RandomReferenceId referenceId;
};

class DropoutGradOp : public DropoutOp {
 public:
  template <class... Args>
  explicit DropoutGradOp(const Args&...)
      : DropoutOp(emulator::absent<const OperatorIdentifier>("popart::DropoutGradOp")) {}
  static InIndex getGradInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_dropout_hpp
