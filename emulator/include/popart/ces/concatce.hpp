#ifndef popart_ces_concatce_hpp
#define popart_ces_concatce_hpp

#include <cstdint>
#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprConcat : public ConstExprOp {
 public:
  ConstExprConcat(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprConcat")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprConcat::compute"); }
};

}  // namespace popart

#endif  // popart_ces_concatce_hpp
