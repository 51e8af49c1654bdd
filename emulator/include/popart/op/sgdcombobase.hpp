#ifndef popart_op_sgdcombobase_hpp
#define popart_op_sgdcombobase_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>
#include <set>

namespace popart {

struct OperatorIdentifier;
enum class OptimizerReductionType;

class SGDMComboBaseOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGDMComboBaseOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::SGDMComboBaseOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::SGDMComboBaseOp::optimizerInputs");
  }
  const OptimizerValue initSmm1;
  const OptimizerValue initDpsf1;
  const OptimizerValue initSwd1;
  const OptimizerValue initSlr1;
  OptimizerValue initMm;
  OptimizerValue initWd;
  OptimizerValue initNgsf;
  OptimizerValue initNdsf;
  const OptimizerReductionType reductionType;
  bool nesterov;
  static InIndex getSmm1InIndex() { return 2; }
  static InIndex getDpsf1InIndex() { return 3; }
  static InIndex getSwd1InIndex() { return 4; }
  static InIndex getSlr1InIndex() { return 5; }
  static InIndex getMmInIndex() { return 6; }
  static InIndex getWdInIndex() { return 7; }
  static InIndex getNgsfInIndex() { return 8; }
  static InIndex getNdsfInIndex() { return 9; }
};

}  // namespace popart

#endif  // popart_op_sgdcombobase_hpp
