#ifndef popart_ces_castce_hpp
#define popart_ces_castce_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprCast : public ConstExprOp {
 public:
  ConstExprCast(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprCast")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprCast::compute"); }
};

}  // namespace popart

#endif  // popart_ces_castce_hpp
