#ifndef popart_op_cast_hpp
#define popart_op_cast_hpp

#include <map>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class CastOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CastOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CastOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  DataType toDataType() const { emulator::missing("popart::CastOp::toDataType"); }
};

class CastGradOp : public CastOp {
 public:
  template <class... Args>
  explicit CastGradOp(const Args&...)
      : CastOp(emulator::absent<const OperatorIdentifier>("popart::CastGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_cast_hpp
