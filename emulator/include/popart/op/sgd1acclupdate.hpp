#ifndef popart_op_sgd1acclupdate_hpp
#define popart_op_sgd1acclupdate_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

struct OperatorIdentifier;
class SGD1AcclUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGD1AcclUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::SGD1AcclUpdateOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::SGD1AcclUpdateOp::optimizerInputs");
  }
  const OptimizerValue initSmm1;
  const OptimizerValue initSwd1;
  static InIndex getSmm1InIndex() { return 2; }
  static InIndex getSwd1InIndex() { return 3; }
};

}  // namespace popart

#endif  // popart_op_sgd1acclupdate_hpp
