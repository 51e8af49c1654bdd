#ifndef popart_op_reducemedian_hpp
#define popart_op_reducemedian_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceMedianOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceMedianOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMedianOp")) {}
  static int getIndicesOutIndex() { return 1; }
};

class ReduceMedianGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceMedianGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ReduceMedianGradOp")) {}
  static int getIndicesInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducemedian_hpp
