#ifndef popart_ces_gatherce_hpp
#define popart_ces_gatherce_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprGather : public ConstExprOp {
 public:
  ConstExprGather(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprGather")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprGather::compute"); }
};

}  // namespace popart

#endif  // popart_ces_gatherce_hpp
