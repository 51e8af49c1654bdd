#ifndef popart_op_addbias_hpp
#define popart_op_addbias_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/identity.hpp>
#include <popart/op/reducesum.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class AddBiasOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AddBiasOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AddBiasOp")) {}
  static InIndex getDataInIndex() { return 0; }
  static InIndex getBiasInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
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
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

class AddBiasBiasGradOp : public ReduceSumOp {
 public:
  template <class... Args>
  explicit AddBiasBiasGradOp(const Args&...)
      : ReduceSumOp(emulator::absent<const OperatorIdentifier>("popart::AddBiasBiasGradOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_addbias_hpp
