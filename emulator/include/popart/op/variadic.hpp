#ifndef popart_op_variadic_hpp
#define popart_op_variadic_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class VariadicOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit VariadicOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::VariadicOp")) {}
  static OutIndex getOutIndex() { return 0; }

 private:
  virtual std::unique_ptr<Op> getIthGrad(int) const = 0;
};

class VariadicGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit VariadicGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::VariadicGradOp")) {}
  static InIndex getGradInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  InIndex getFwdIndex() { emulator::missing("popart::VariadicGradOp::getFwdIndex"); }
  const TensorInfo& getFwdInputInfo() {
    emulator::missing("popart::VariadicGradOp::getFwdInputInfo");
  }
};

class NonLinearVariadicGradOp : public VariadicGradOp {
 public:
  template <class... Args>
  explicit NonLinearVariadicGradOp(const Args&...)
      : VariadicGradOp(
            emulator::absent<const OperatorIdentifier>("popart::NonLinearVariadicGradOp")) {}
  static InIndex getFwdInIndex() { return 1; }
  static InIndex getFwdOutInIndex() { return 2; }
};

class LinearVariadicGradOp : public VariadicGradOp {
 public:
  template <class... Args>
  explicit LinearVariadicGradOp(const Args&...)
      : VariadicGradOp(emulator::absent<const OperatorIdentifier>("popart::LinearVariadicGradOp")) {
  }
  virtual bool hasScale() const { return false; }
  virtual float getScale() const { return 1.0; }
};

}  // namespace popart

#endif  // popart_op_variadic_hpp
