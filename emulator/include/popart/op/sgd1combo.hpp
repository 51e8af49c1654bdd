#ifndef popart_op_sgd1combo_hpp
#define popart_op_sgd1combo_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/sgdcombobase.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

enum class OptimizerReductionType;

class SGD1ComboOp : public SGDMComboBaseOp {
 public:
  template <class... Args>
  explicit SGD1ComboOp(const Args&...)
      : SGDMComboBaseOp(emulator::absent<const OperatorIdentifier>("popart::SGD1ComboOp")) {}
};

}  // namespace popart

#endif  // popart_op_sgd1combo_hpp
