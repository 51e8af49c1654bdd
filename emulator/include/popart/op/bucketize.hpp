#ifndef popart_op_bucketize_hpp
#define popart_op_bucketize_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class BucketizeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BucketizeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BucketizeOp")) {}
  static int inIndex() { return 0; }
  static int boundariesInIndex() { return 1; }
  static int outIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_bucketize_hpp
