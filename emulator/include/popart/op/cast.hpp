#ifndef popart_op_cast_hpp
#define popart_op_cast_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class CastOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CastOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CastOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class CastGradOp : public CastOp {
 public:
  template <class... Args>
  explicit CastGradOp(const Args&...)
      : CastOp(emulator::absent<const OperatorIdentifier>("popart::CastGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_cast_hpp
