#ifndef popart_op_addbias_hpp
#define popart_op_addbias_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/identity.hpp>

namespace popart {

class AddBiasOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AddBiasOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AddBiasOp")) {}
  static int getDataInIndex() { return 0; }
  static int getBiasInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class AddBiasInplaceOp : public AddBiasOp {
 public:
  template <class... Args>
  explicit AddBiasInplaceOp(const Args&...)
      : AddBiasOp(emulator::absent<const OperatorIdentifier>("popart::AddBiasInplaceOp")) {}
};

class AddBiasDataGradOp : public IdentityOp {
 public:
  template <class... Args>
  explicit AddBiasDataGradOp(const Args&...)
      : IdentityOp(emulator::absent<const OperatorIdentifier>("popart::AddBiasDataGradOp"),
                   emulator::absent<const Op::Settings>("popart::AddBiasDataGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class AddBiasBiasGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AddBiasBiasGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::AddBiasBiasGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_addbias_hpp
