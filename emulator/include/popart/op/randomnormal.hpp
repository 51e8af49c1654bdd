#ifndef popart_op_randomnormal_hpp
#define popart_op_randomnormal_hpp

#include <cstdint>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/randombase.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class RandomNormalOp : public RandomNormalBaseOp {
 public:
  template <class... Args>
  explicit RandomNormalOp(const Args&...)
      : RandomNormalBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomNormalOp")) {}
};

class RandomNormalLikeOp : public RandomNormalBaseOp {
 public:
  template <class... Args>
  explicit RandomNormalLikeOp(const Args&...)
      : RandomNormalBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::RandomNormalLikeOp")) {}
  static InIndex getInIndex() { return 0; }
  std::unique_ptr<RandomNormalOp> foldInputTensor(const Op::Settings&) const {
    emulator::missing("popart::RandomNormalLikeOp::foldInputTensor");
  }
};

}  // namespace popart

#endif  // popart_op_randomnormal_hpp
