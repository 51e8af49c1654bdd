#ifndef popart_op_dynamic_dynamicbase_hpp
#define popart_op_dynamic_dynamicbase_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class DynamicBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit DynamicBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::DynamicBaseOp")) {}
  static int getIndexInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class DynamicSliceBaseOp : public DynamicBaseOp {
 public:
  template <class... Args>
  explicit DynamicSliceBaseOp(const Args&...)
      : DynamicBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicSliceBaseOp")) {}
  static int getInIndex() { return 0; }
};

class DynamicBinaryBaseOp : public DynamicBaseOp {
 public:
  template <class... Args>
  explicit DynamicBinaryBaseOp(const Args&...)
      : DynamicBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicBinaryBaseOp")) {}
  static int getUpdateInIndex() { return 0; }
  static int getIndexInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class DynamicBinaryBaseInplaceOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicBinaryBaseInplaceOp(const Args&...)
      : DynamicBinaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicBinaryBaseInplaceOp")) {}
};

class DynamicTernaryBaseOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicTernaryBaseOp(const Args&...)
      : DynamicBinaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicTernaryBaseOp")) {}
  static int getUpdateInIndex() { return 0; }
  static int getInIndex() { return 2; }
};

class DynamicTernaryBaseInplaceOp : public DynamicTernaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicTernaryBaseInplaceOp(const Args&...)
      : DynamicTernaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicTernaryBaseInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamicbase_hpp
