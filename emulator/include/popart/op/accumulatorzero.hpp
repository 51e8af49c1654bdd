#ifndef popart_op_accumulatorzero_hpp
#define popart_op_accumulatorzero_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/accumulatorscale.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class AccumulatorZeroOp : public AccumulatorScaleOp {
 public:
  template <class... Args>
  explicit AccumulatorZeroOp(const Args&...)
      : AccumulatorScaleOp(
            emulator::absent<const OperatorIdentifier>("popart::AccumulatorZeroOp")) {}
};

}  // namespace popart

#endif  // popart_op_accumulatorzero_hpp
