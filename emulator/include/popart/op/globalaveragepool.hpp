#ifndef popart_op_globalaveragepool_hpp
#define popart_op_globalaveragepool_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class GlobalAveragePoolOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalAveragePoolOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::GlobalAveragePoolOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class GlobalAveragePoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalAveragePoolGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::GlobalAveragePoolGradOp")) {}
  static int getPrePooledInIndex() { return 0; }
  static int getPooledInIndex() { return 1; }
  static int getGradPooledInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_globalaveragepool_hpp
