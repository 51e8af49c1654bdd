#ifndef popart_op_concat_hpp
#define popart_op_concat_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/region.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

class ConcatOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConcatOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ConcatOp")) {}
  int64_t getAxis() const { emulator::missing("popart::ConcatOp::getAxis"); }
  static InIndex getInIndex(InIndex) { emulator::missing("popart::ConcatOp::getInIndex"); }
  static OutIndex getOutIndex() { return 0; }
  static Shape getOutputShape(int64_t, const std::vector<const Shape*>) {
    emulator::missing("popart::ConcatOp::getOutputShape");
  }
};

class ConcatInplaceOp : public ConcatOp {
 public:
  template <class... Args>
  explicit ConcatInplaceOp(const Args&...)
      : ConcatOp(emulator::absent<const OperatorIdentifier>("popart::ConcatInplaceOp")) {}
};

class ConcatGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConcatGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ConcatGradOp")) {}
  int64_t getAxis() const { emulator::missing("popart::ConcatGradOp::getAxis"); }
  int64_t getStart() const { emulator::missing("popart::ConcatGradOp::getStart"); }
  int64_t getEnd() const { emulator::missing("popart::ConcatGradOp::getEnd"); }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_concat_hpp
