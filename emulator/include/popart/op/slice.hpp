#ifndef popart_op_slice_hpp
#define popart_op_slice_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/pad.hpp>

namespace popart {

class BaseSliceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseSliceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BaseSliceOp")) {}
  static int getInIndex() { return 0; }
  static int getStartsInIndex() { return 1; }
  static int getEndsInIndex() { return 2; }
  static int getAxesInIndex() { return 3; }
  static int getStepsInIndex() { return 4; }
  static int getOutIndex() { return 0; }
};

class SliceOp : public BaseSliceOp {
 public:
  template <class... Args>
  explicit SliceOp(const Args&...)
      : BaseSliceOp(emulator::absent<const OperatorIdentifier>("popart::SliceOp")) {}
};

class SliceInplaceOp : public BaseSliceOp {
 public:
  template <class... Args>
  explicit SliceInplaceOp(const Args&...)
      : BaseSliceOp(emulator::absent<const OperatorIdentifier>("popart::SliceInplaceOp")) {}
};

class SliceGradOp : public BasePadOutplaceOp {
 public:
  template <class... Args>
  explicit SliceGradOp(const Args&...)
      : BasePadOutplaceOp(emulator::absent<const OperatorIdentifier>("popart::SliceGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_slice_hpp
