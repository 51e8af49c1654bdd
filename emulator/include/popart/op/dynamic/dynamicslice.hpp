#ifndef popart_op_dynamic_dynamicslice_hpp
#define popart_op_dynamic_dynamicslice_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/dynamic/dynamicbase.hpp>

namespace popart {

class DynamicSliceOp : public DynamicSliceBaseOp {
 public:
  template <class... Args>
  explicit DynamicSliceOp(const Args&...)
      : DynamicSliceBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicSliceOp")) {}
  static int getSliceInIndex() { return 2; }
};

class DynamicSliceInplaceOp : public DynamicSliceOp {
 public:
  template <class... Args>
  explicit DynamicSliceInplaceOp(const Args&...)
      : DynamicSliceOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicSliceInplaceOp")) {}
};

class DynamicSlicePadGradOp : public DynamicBaseOp {
 public:
  template <class... Args>
  explicit DynamicSlicePadGradOp(const Args&...)
      : DynamicBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicSlicePadGradOp")) {
  }
  static int getInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamicslice_hpp
