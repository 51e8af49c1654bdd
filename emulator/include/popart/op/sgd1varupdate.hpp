#ifndef popart_op_sgd1varupdate_hpp
#define popart_op_sgd1varupdate_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class SGD1VarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGD1VarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::SGD1VarUpdateOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::SGD1VarUpdateOp::optimizerInputs");
  }
  const OptimizerValue initSlr1;
  static InIndex getSlr1InIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_sgd1varupdate_hpp
