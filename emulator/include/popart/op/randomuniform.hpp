#ifndef popart_op_randomuniform_hpp
#define popart_op_randomuniform_hpp

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
class RandomUniformOp : public RandomUniformBaseOp {
 public:
  template <class... Args>
  explicit RandomUniformOp(const Args&...)
      : RandomUniformBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomUniformOp")) {
  }
};

class RandomUniformLikeOp : public RandomUniformBaseOp {
 public:
  template <class... Args>
  explicit RandomUniformLikeOp(const Args&...)
      : RandomUniformBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::RandomUniformLikeOp")) {}
  static InIndex getInIndex() { return 0; }
  std::unique_ptr<RandomUniformOp> foldInputTensor(const Op::Settings&) const {
    emulator::missing("popart::RandomUniformLikeOp::foldInputTensor");
  }
};

}  // namespace popart

#endif  // popart_op_randomuniform_hpp
