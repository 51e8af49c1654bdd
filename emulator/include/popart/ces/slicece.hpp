#ifndef popart_ces_slicece_hpp
#define popart_ces_slicece_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprSlice : public ConstExprOp {
 public:
  ConstExprSlice(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprSlice")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprSlice::compute"); }
};

}  // namespace popart

#endif  // popart_ces_slicece_hpp
