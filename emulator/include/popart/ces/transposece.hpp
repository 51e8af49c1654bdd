#ifndef popart_ces_transposece_hpp
#define popart_ces_transposece_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprTranspose : public ConstExprOp {
 public:
  ConstExprTranspose(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprTranspose")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprTranspose::compute"); }
};

}  // namespace popart

#endif  // popart_ces_transposece_hpp
