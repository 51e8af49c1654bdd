#ifndef popart_op_sgd2acclupdate_hpp
#define popart_op_sgd2acclupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/sgd1acclupdate.hpp>

namespace popart {

class SGD2PartialAcclUpdateOp : public SGD1AcclUpdateOp {
 public:
  template <class... Args>
  explicit SGD2PartialAcclUpdateOp(const Args&...)
      : SGD1AcclUpdateOp(
            emulator::absent<const OperatorIdentifier>("popart::SGD2PartialAcclUpdateOp")) {}
};

}  // namespace popart

#endif  // popart_op_sgd2acclupdate_hpp
