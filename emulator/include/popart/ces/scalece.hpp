#ifndef popart_ces_scalece_hpp
#define popart_ces_scalece_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprScale : public ConstExprOp {
 public:
  ConstExprScale(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprScale")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprScale::compute"); }
};

}  // namespace popart

#endif  // popart_ces_scalece_hpp
