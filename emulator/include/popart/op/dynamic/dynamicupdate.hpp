#ifndef popart_op_dynamic_dynamicupdate_hpp
#define popart_op_dynamic_dynamicupdate_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/dynamic/dynamicbase.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DynamicUpdateOp : public DynamicTernaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicUpdateOp(const Args&...)
      : DynamicTernaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicUpdateOp")) {}
};

class DynamicUpdateInplaceOp : public DynamicTernaryBaseInplaceOp {
 public:
  template <class... Args>
  explicit DynamicUpdateInplaceOp(const Args&...)
      : DynamicTernaryBaseInplaceOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicUpdateInplaceOp")) {}
};

class DynamicUpdateToUpdateGradOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicUpdateToUpdateGradOp(const Args&...)
      : DynamicBinaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicUpdateToUpdateGradOp")) {}
};

class DynamicUpdateUpdaterGradOp : public DynamicSliceBaseOp {
 public:
  template <class... Args>
  explicit DynamicUpdateUpdaterGradOp(const Args&...)
      : DynamicSliceBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicUpdateUpdaterGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamicupdate_hpp
