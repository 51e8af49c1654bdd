#ifndef popart_op_onehot_hpp
#define popart_op_onehot_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class OnehotOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit OnehotOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::OnehotOp")) {}
  static InIndex getIndicesInIndex() { return 0; }
  static InIndex getValuesInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  int64_t getAxis() const { emulator::missing("popart::OnehotOp::getAxis"); }
};

class OnehotGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit OnehotGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::OnehotGradOp")) {}
  static InIndex getGradInIndex() { return 0; }
  static InIndex getIndicesInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  const Shape& getOutputShape() const { emulator::missing("popart::OnehotGradOp::getOutputShape"); }
  int64_t getAxis() const { emulator::missing("popart::OnehotGradOp::getAxis"); }
};

}  // namespace popart

#endif  // popart_op_onehot_hpp
