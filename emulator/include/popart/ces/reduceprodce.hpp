#ifndef popart_ces_reduceprodce_hpp
#define popart_ces_reduceprodce_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprReduceProd : public ConstExprOp {
 public:
  ConstExprReduceProd(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprReduceProd")) {}
  std::vector<char> compute() override {
    emulator::missing("popart::ConstExprReduceProd::compute");
  }
};

}  // namespace popart

#endif  // popart_ces_reduceprodce_hpp
