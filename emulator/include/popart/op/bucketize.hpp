#ifndef popart_op_bucketize_hpp
#define popart_op_bucketize_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>

namespace popart {

class BucketizeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BucketizeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BucketizeOp")) {}
  static InIndex inIndex() { return 0; }
  static InIndex boundariesInIndex() { return 1; }
  static OutIndex outIndex() { return 0; }
  bool isRight() const { emulator::missing("popart::BucketizeOp::isRight"); }
};

}  // namespace popart

#endif  // popart_op_bucketize_hpp
