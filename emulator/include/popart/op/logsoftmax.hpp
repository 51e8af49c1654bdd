#ifndef popart_op_logsoftmax_hpp
#define popart_op_logsoftmax_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class LogSoftmaxOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit LogSoftmaxOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::LogSoftmaxOp"),
                           emulator::absent<const Op::Settings>("popart::LogSoftmaxOp")) {}
  int64_t getAxis() const { emulator::missing("popart::LogSoftmaxOp::getAxis"); }
};

class LogSoftmaxInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit LogSoftmaxInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::LogSoftmaxInplaceOp"),
            emulator::absent<const Op::Settings>("popart::LogSoftmaxInplaceOp")) {}
  int64_t getAxis() const { emulator::missing("popart::LogSoftmaxInplaceOp::getAxis"); }
};

class LogSoftmaxGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LogSoftmaxGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LogSoftmaxGradOp")) {
  }
  int64_t getAxis() const { emulator::missing("popart::LogSoftmaxGradOp::getAxis"); }
  static InIndex getGradProbsInIndex() { return 0; }
  static InIndex getActsInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_logsoftmax_hpp
