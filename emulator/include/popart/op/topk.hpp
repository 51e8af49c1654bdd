#ifndef popart_op_topk_hpp
#define popart_op_topk_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/basesort.hpp>

namespace popart {

class TopKOp : public BaseSortOp {
 public:
  template <class... Args>
  explicit TopKOp(const Args&...)
      : BaseSortOp(emulator::absent<const OperatorIdentifier>("popart::TopKOp")) {}
  static int getValuesOutIndex() { return 0; }
  static int getIndicesOutIndex() { return 1; }
};

class TopKGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TopKGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TopKGradOp")) {}
  static int gradInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int gradOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_topk_hpp
