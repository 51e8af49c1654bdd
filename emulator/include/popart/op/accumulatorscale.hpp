#ifndef popart_op_accumulatorscale_hpp
#define popart_op_accumulatorscale_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class AccumulatorScaleOp : public VarUpdateOp {
 public:
  template <class... Args>
  explicit AccumulatorScaleOp(const Args&...)
      : VarUpdateOp(emulator::absent<const OperatorIdentifier>("popart::AccumulatorScaleOp")) {}
  static int getFactorInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_accumulatorscale_hpp
