#ifndef popart_op_expand_hpp
#define popart_op_expand_hpp

#include <cstddef>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphcoreoperators.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/region.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/tensorindex.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

class ExpandOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExpandOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExpandOp")) {}
  Shape getOutShape() const { emulator::missing("popart::ExpandOp::getOutShape"); }
  static InIndex getInTensorIndex() { return 0; }
  static InIndex getInShapeIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

class ExpandInplaceOp : public ExpandOp {
 public:
  template <class... Args>
  explicit ExpandInplaceOp(const Args&...)
      : ExpandOp(emulator::absent<const OperatorIdentifier>("popart::ExpandInplaceOp")) {}
};

class ExpandGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExpandGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExpandGradOp")) {}
  static InIndex getDYIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  std::vector<size_t> getXShape() { emulator::missing("popart::ExpandGradOp::getXShape"); }
};

}  // namespace popart

#endif  // popart_op_expand_hpp
