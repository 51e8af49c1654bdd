#ifndef popart_op_argmin_hpp
#define popart_op_argmin_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/argextrema.hpp>

namespace popart {

class ArgMinOp : public ArgExtremaOp {
 public:
  template <class... Args>
  explicit ArgMinOp(const Args&...)
      : ArgExtremaOp(emulator::absent<const OperatorIdentifier>("popart::ArgMinOp")) {}
};

}  // namespace popart

#endif  // popart_op_argmin_hpp
