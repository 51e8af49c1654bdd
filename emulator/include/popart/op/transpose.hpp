#ifndef popart_op_transpose_hpp
#define popart_op_transpose_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/region.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class TransposeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TransposeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TransposeBaseOp")) {}
  void setPerm(const Shape&) { emulator::missing("popart::TransposeBaseOp::setPerm"); }
  const Shape& getPerm() const { emulator::missing("popart::TransposeBaseOp::getPerm"); }
  std::vector<uint64_t> getPerm_u64() const {
    emulator::missing("popart::TransposeBaseOp::getPerm_u64");
  }
  Shape generateReversePermutation() const {
    emulator::missing("popart::TransposeBaseOp::generateReversePermutation");
  }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

class TransposeOp : public TransposeBaseOp {
 public:
  template <class... Args>
  explicit TransposeOp(const Args&...)
      : TransposeBaseOp(emulator::absent<const OperatorIdentifier>("popart::TransposeOp")) {}
};

class TransposeInplaceOp : public TransposeBaseOp {
 public:
  template <class... Args>
  explicit TransposeInplaceOp(const Args&...)
      : TransposeBaseOp(emulator::absent<const OperatorIdentifier>("popart::TransposeInplaceOp")) {}
};

class TransposeGradOp : public TransposeOp {
 public:
  template <class... Args>
  explicit TransposeGradOp(const Args&...)
      : TransposeOp(emulator::absent<const OperatorIdentifier>("popart::TransposeGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_transpose_hpp
