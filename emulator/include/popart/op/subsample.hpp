#ifndef popart_op_subsample_hpp
#define popart_op_subsample_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SubsampleBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SubsampleBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleBaseOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class SubsampleOp : public SubsampleBaseOp {
 public:
  template <class... Args>
  explicit SubsampleOp(const Args&...)
      : SubsampleBaseOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleOp")) {}
};

class SubsampleInplaceOp : public SubsampleBaseOp {
 public:
  template <class... Args>
  explicit SubsampleInplaceOp(const Args&...)
      : SubsampleBaseOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleInplaceOp")) {}
};

class SubsampleGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SubsampleGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_subsample_hpp
