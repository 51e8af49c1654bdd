#ifndef popart_op_shapeddropout_hpp
#define popart_op_shapeddropout_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/dropoutbase.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ShapedDropoutOp : public DropoutBaseOp {
 public:
  template <class... Args>
  explicit ShapedDropoutOp(const Args&...)
      : DropoutBaseOp(emulator::absent<const OperatorIdentifier>("popart::ShapedDropoutOp")) {}
  const std::vector<int64_t>& getShape() const {
    emulator::missing("popart::ShapedDropoutOp::getShape");
  }
};

class ShapedDropoutGradOp : public ShapedDropoutOp {
 public:
  template <class... Args>
  explicit ShapedDropoutGradOp(const Args&...)
      : ShapedDropoutOp(emulator::absent<const OperatorIdentifier>("popart::ShapedDropoutGradOp")) {
  }
  static InIndex getGradInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_shapeddropout_hpp
