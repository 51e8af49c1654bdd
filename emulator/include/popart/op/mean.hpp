#ifndef popart_op_mean_hpp
#define popart_op_mean_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/variadic.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class MeanOp : public VariadicOp {
 public:
  template <class... Args>
  explicit MeanOp(const Args&...)
      : VariadicOp(emulator::absent<const OperatorIdentifier>("popart::MeanOp")) {}

 private:
  std::unique_ptr<Op> getIthGrad(int) const override {
    emulator::missing("popart::MeanOp::getIthGrad");
  }
};

class MeanArgGradOp : public LinearVariadicGradOp {
 public:
  template <class... Args>
  explicit MeanArgGradOp(const Args&...)
      : LinearVariadicGradOp(emulator::absent<const OperatorIdentifier>("popart::MeanArgGradOp")) {}
  virtual bool hasScale() const { return true; }
  virtual float getScale() const { emulator::missing("popart::MeanArgGradOp::getScale"); }
};

}  // namespace popart

#endif  // popart_op_mean_hpp
