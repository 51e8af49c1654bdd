// Operators of PopART that the emulation does not have: their headers declare them, so that
// programs that ask for their classes or indices compile, and constructing one says so.
#ifndef popart_emulator_AbsentOp_hpp
#define popart_emulator_AbsentOp_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/error.hpp>
#include <popart/op.hpp>
#include <utility>

namespace popart {
namespace emulator {

class AbsentOp : public Op {
 public:
  template <class... Args>
  explicit AbsentOp(const Args&...)
      : Op(absent<const OperatorIdentifier>("popart::Op"),
           absent<const Op::Settings>("popart::Op")) {}
  std::unique_ptr<Op> clone() const override {
    return std::move(absent<std::unique_ptr<Op>>("popart::Op"));
  }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
};

}  // namespace emulator
}  // namespace popart

#endif  // popart_emulator_AbsentOp_hpp
