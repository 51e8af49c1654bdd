#ifndef popart_op_copyvarupdate_hpp
#define popart_op_copyvarupdate_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

struct OperatorIdentifier;
class CopyVarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit CopyVarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::CopyVarUpdateOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::CopyVarUpdateOp::optimizerInputs");
  }
};

}  // namespace popart

#endif  // popart_op_copyvarupdate_hpp
