#ifndef popart_op_dropoutbase_hpp
#define popart_op_dropoutbase_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/randombase.hpp>

namespace popart {

class DropoutBaseOp : public RandomBaseOp {
 public:
  template <class... Args>
  explicit DropoutBaseOp(const Args&...)
      : RandomBaseOp(emulator::absent<const OperatorIdentifier>("popart::DropoutBaseOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_dropoutbase_hpp
