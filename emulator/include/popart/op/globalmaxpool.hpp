#ifndef popart_op_globalmaxpool_hpp
#define popart_op_globalmaxpool_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class GlobalMaxPoolOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalMaxPoolOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GlobalMaxPoolOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class GlobalMaxPoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalMaxPoolGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::GlobalMaxPoolGradOp")) {}
  static int getPrePooledInIndex() { return 0; }
  static int getPooledInIndex() { return 1; }
  static int getGradPooledInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_globalmaxpool_hpp
