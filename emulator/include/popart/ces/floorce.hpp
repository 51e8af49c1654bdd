#ifndef popart_ces_floorce_hpp
#define popart_ces_floorce_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprFloor : public ConstExprOp {
 public:
  ConstExprFloor(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprFloor")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprFloor::compute"); }
};

}  // namespace popart

#endif  // popart_ces_floorce_hpp
