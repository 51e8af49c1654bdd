#ifndef popart_op_sort_hpp
#define popart_op_sort_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/topk.hpp>

namespace popart {

class SortOp : public TopKOp {
 public:
  template <class... Args>
  explicit SortOp(const Args&...)
      : TopKOp(emulator::absent<const OperatorIdentifier>("popart::SortOp")) {}
};

}  // namespace popart

#endif  // popart_op_sort_hpp
