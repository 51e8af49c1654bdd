#ifndef popart_op_detach_hpp
#define popart_op_detach_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DetachOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit DetachOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::DetachOp"),
                           emulator::absent<const Op::Settings>("popart::DetachOp")) {}
};

class DetachInplaceOp : public DetachOp {
 public:
  template <class... Args>
  explicit DetachInplaceOp(const Args&...)
      : DetachOp(emulator::absent<const OperatorIdentifier>("popart::DetachInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_detach_hpp
