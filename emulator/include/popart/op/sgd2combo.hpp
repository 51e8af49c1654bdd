#ifndef popart_op_sgd2combo_hpp
#define popart_op_sgd2combo_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/sgdcombobase.hpp>

namespace popart {

class SGD2ComboOp : public SGDMComboBaseOp {
 public:
  template <class... Args>
  explicit SGD2ComboOp(const Args&...)
      : SGDMComboBaseOp(emulator::absent<const OperatorIdentifier>("popart::SGD2ComboOp")) {}
};

}  // namespace popart

#endif  // popart_op_sgd2combo_hpp
