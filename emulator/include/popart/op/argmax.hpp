#ifndef popart_op_argmax_hpp
#define popart_op_argmax_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/argextrema.hpp>

namespace popart {

class ArgMaxOp : public ArgExtremaOp {
 public:
  template <class... Args>
  explicit ArgMaxOp(const Args&...)
      : ArgExtremaOp(emulator::absent<const OperatorIdentifier>("popart::ArgMaxOp")) {}
};

}  // namespace popart

#endif  // popart_op_argmax_hpp
