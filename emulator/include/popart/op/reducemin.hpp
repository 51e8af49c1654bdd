#ifndef popart_op_reducemin_hpp
#define popart_op_reducemin_hpp

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
class ReduceMinOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceMinOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMinOp")) {}
};

class ReduceMinGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceMinGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMinGradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
  static InIndex getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducemin_hpp
