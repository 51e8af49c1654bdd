#ifndef popart_op_reducemedian_hpp
#define popart_op_reducemedian_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/reduce.hpp>
#include <vector>

namespace nonstd {
namespace optional_lite {

template <typename T>
class optional;

}
}  // namespace nonstd

namespace popart {

struct OperatorIdentifier;
class ReduceMedianOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceMedianOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMedianOp")) {}
  static OutIndex getIndicesOutIndex() { return 1; }
};

class ReduceMedianGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceMedianGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMedianGradOp")) {}
  static InIndex getIndicesInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducemedian_hpp
