#ifndef popart_op_dynamic_dynamicslice_hpp
#define popart_op_dynamic_dynamicslice_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/dynamic/dynamicbase.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <set>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DynamicSliceOp : public DynamicSliceBaseOp {
 public:
  template <class... Args>
  explicit DynamicSliceOp(const Args&...)
      : DynamicSliceBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicSliceOp")) {}
  static InIndex getSliceInIndex() { return 2; }
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
  static InIndex getInIndex() { return 2; }

 protected:
  TensorInfo updateInInfo;
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamicslice_hpp
