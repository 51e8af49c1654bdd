#ifndef popart_op_varupdate_hpp
#define popart_op_varupdate_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class VarUpdateOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit VarUpdateOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::VarUpdateOp")) {}
  static InIndex getVarToUpdateInIndex() { return 0; }
  static OutIndex getUpdatedVarOutIndex() { return 0; }
  virtual std::map<InIndex, TensorId> optimizerInputs() const = 0;
};

class VarUpdateWithUpdaterOp : public VarUpdateOp {
 public:
  template <class... Args>
  explicit VarUpdateWithUpdaterOp(const Args&...)
      : VarUpdateOp(emulator::absent<const OperatorIdentifier>("popart::VarUpdateWithUpdaterOp")) {}
  static InIndex getUpdaterInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_varupdate_hpp
