#ifndef popart_op_split_hpp
#define popart_op_split_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SplitOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplitOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SplitOp")) {}
  std::vector<int64_t> getSplitSizes() const {
    emulator::missing("popart::SplitOp::getSplitSizes");
  }
  int64_t getAxis() const { emulator::missing("popart::SplitOp::getAxis"); }
  static InIndex getInIndex() { return 0; }
};

class SplitGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplitGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SplitGradOp")) {}
  int64_t getAxis() const { emulator::missing("popart::SplitGradOp::getAxis"); }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_split_hpp
