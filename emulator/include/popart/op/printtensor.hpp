#ifndef popart_op_printtensor_hpp
#define popart_op_printtensor_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <popart/printtensorfmt.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class PrintTensorOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit PrintTensorOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::PrintTensorOp"),
                           emulator::absent<const Op::Settings>("popart::PrintTensorOp")) {}
  bool shouldPrint() const { emulator::missing("popart::PrintTensorOp::shouldPrint"); }
  const std::string& getTitle() const { emulator::missing("popart::PrintTensorOp::getTitle"); }
  void setTitle(std::string) { emulator::missing("popart::PrintTensorOp::setTitle"); }
  const PrintTensorFmt& getFmt() const { emulator::missing("popart::PrintTensorOp::getFmt"); }
};

}  // namespace popart

#endif  // popart_op_printtensor_hpp
