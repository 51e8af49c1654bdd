#ifndef popart_op_gather_hpp
#define popart_op_gather_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class GatherOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GatherOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GatherOp")) {}
  static int dataInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int outIndex() { return 0; }
};

class GatherGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GatherGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GatherGradOp")) {}
  static int gradInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int gradOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_gather_hpp
