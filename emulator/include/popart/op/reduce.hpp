#ifndef popart_op_reduce_hpp
#define popart_op_reduce_hpp

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceOp")) {}
  const std::vector<int64_t>& getAxes() const { emulator::missing("popart::ReduceOp::getAxes"); }
  bool getKeepDims() const { emulator::missing("popart::ReduceOp::getKeepDims"); }
  void setAxes(std::vector<int64_t>) { emulator::missing("popart::ReduceOp::setAxes"); }
  void setKeepDims(int64_t) { emulator::missing("popart::ReduceOp::setKeepDims"); }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  const Shape& backwardShape() const { emulator::missing("popart::ReduceOp::backwardShape"); }

 protected:
  Shape backward_shape;
  std::vector<int64_t> axes;
  int64_t keepdims;
};

class ReduceGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceGradOp")) {}
  const std::vector<int64_t>& getAxes() const {
    emulator::missing("popart::ReduceGradOp::getAxes");
  }
  const Shape& backwardShape() const { emulator::missing("popart::ReduceGradOp::backwardShape"); }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }

 protected:
  Shape outputTensorShape;
  const Shape backward_shape;
  std::vector<int64_t> axes;
};

}  // namespace popart

#endif  // popart_op_reduce_hpp
