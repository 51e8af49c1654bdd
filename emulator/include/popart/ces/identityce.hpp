#ifndef popart_ces_identityce_hpp
#define popart_ces_identityce_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprIdentity : public ConstExprOp {
 public:
  ConstExprIdentity(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprIdentity")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprIdentity::compute"); }
};

}  // namespace popart

#endif  // popart_ces_identityce_hpp
