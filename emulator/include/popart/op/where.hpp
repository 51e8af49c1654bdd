#ifndef popart_op_where_hpp
#define popart_op_where_hpp

#include <cstddef>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class WhereOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit WhereOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::WhereOp")) {}
  static InIndex conditionInIndex() { return 0; }
  static InIndex xInIndex() { return 1; }
  static InIndex yInIndex() { return 2; }
  static OutIndex outIndex() { return 0; }
};

class WhereLhsInplaceOp : public WhereOp {
 public:
  template <class... Args>
  explicit WhereLhsInplaceOp(const Args&...)
      : WhereOp(emulator::absent<const OperatorIdentifier>("popart::WhereLhsInplaceOp")) {}
};

class WhereRhsInplaceOp : public WhereOp {
 public:
  template <class... Args>
  explicit WhereRhsInplaceOp(const Args&...)
      : WhereOp(emulator::absent<const OperatorIdentifier>("popart::WhereRhsInplaceOp")) {}
};

class WhereXGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit WhereXGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::WhereXGradOp")) {}
  static InIndex fwdConditionInIndex() { return 0; }
  static InIndex outGradInIndex() { return 1; }
  static OutIndex outIndex() { return 0; }
  std::vector<size_t> getFwdInShape() const {
    emulator::missing("popart::WhereXGradOp::getFwdInShape");
  }
};

class WhereYGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit WhereYGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::WhereYGradOp")) {}
  static InIndex fwdConditionInIndex() { return 0; }
  static InIndex outGradInIndex() { return 1; }
  static OutIndex outIndex() { return 0; }
  std::vector<size_t> getFwdInShape() const {
    emulator::missing("popart::WhereYGradOp::getFwdInShape");
  }
};

}  // namespace popart

#endif  // popart_op_where_hpp
