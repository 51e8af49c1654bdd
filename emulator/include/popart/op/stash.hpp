#ifndef popart_op_stash_hpp
#define popart_op_stash_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class StashOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit StashOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::StashOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_stash_hpp
