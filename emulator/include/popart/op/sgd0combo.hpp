#ifndef popart_op_sgd0combo_hpp
#define popart_op_sgd0combo_hpp

#include <map>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>
#include <set>

namespace popart {

enum class OptimizerReductionType;

class SGD0ComboOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGD0ComboOp(const Args&...)
      : VarUpdateWithUpdaterOp(emulator::absent<const OperatorIdentifier>("popart::SGD0ComboOp")) {}
  OptimizerValue initSlr0;
  OptimizerValue initWdsf0;
  const bool withGradAccum;
  const OptimizerReductionType reductionType;
  const DataType accumType;
  static InIndex getSlr0InIndex() { return 2; }
  static InIndex getWdsf0InIndex() { return 3; }
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::SGD0ComboOp::optimizerInputs");
  }
};

}  // namespace popart

#endif  // popart_op_sgd0combo_hpp
