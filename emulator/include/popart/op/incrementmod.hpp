#ifndef popart_op_incrementmod_hpp
#define popart_op_incrementmod_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

struct OperatorIdentifier;
class IncrementModOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit IncrementModOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::IncrementModOp"),
                           emulator::absent<const Op::Settings>("popart::IncrementModOp")) {}
  double getIncrement() const { emulator::missing("popart::IncrementModOp::getIncrement"); }
  double getModulus() const { emulator::missing("popart::IncrementModOp::getModulus"); }
};

class IncrementModInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit IncrementModInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::IncrementModInplaceOp"),
            emulator::absent<const Op::Settings>("popart::IncrementModInplaceOp")) {}
  double getIncrement() const { emulator::missing("popart::IncrementModInplaceOp::getIncrement"); }
  double getModulus() const { emulator::missing("popart::IncrementModInplaceOp::getModulus"); }
};

}  // namespace popart

#endif  // popart_op_incrementmod_hpp
