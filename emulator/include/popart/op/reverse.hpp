#ifndef popart_op_reverse_hpp
#define popart_op_reverse_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphcoreoperators.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/region.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

class ReverseBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReverseBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReverseBaseOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  std::vector<int64_t> getDimensions() const {
    emulator::missing("popart::ReverseBaseOp::getDimensions");
  }
};

class ReverseOp : public ReverseBaseOp {
 public:
  template <class... Args>
  explicit ReverseOp(const Args&...)
      : ReverseBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReverseOp")) {}
};

class ReverseInplaceOp : public ReverseBaseOp {
 public:
  template <class... Args>
  explicit ReverseInplaceOp(const Args&...)
      : ReverseBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReverseInplaceOp")) {}
};

class ReverseGradOp : public ReverseOp {
 public:
  template <class... Args>
  explicit ReverseGradOp(const Args&...)
      : ReverseOp(emulator::absent<const OperatorIdentifier>("popart::ReverseGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_reverse_hpp
