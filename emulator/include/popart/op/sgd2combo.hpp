#ifndef popart_op_sgd2combo_hpp
#define popart_op_sgd2combo_hpp

#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/sgdcombobase.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

enum class OptimizerReductionType;

class SGD2ComboOp : public SGDMComboBaseOp {
 public:
  template <class... Args>
  explicit SGD2ComboOp(const Args&...)
      : SGDMComboBaseOp(emulator::absent<const OperatorIdentifier>("popart::SGD2ComboOp")) {}
  const bool withGradAccum;
  const DataType accumType;
  const DataType accl1Type;
};

}  // namespace popart

#endif  // popart_op_sgd2combo_hpp
