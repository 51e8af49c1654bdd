#ifndef popart_ces_elementwisece_hpp
#define popart_ces_elementwisece_hpp

#include <popart/ces/constexpr.hpp>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

class Op;
class ConstExprAdd : public ConstExprOp {
 public:
  ConstExprAdd(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprAdd")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprAdd::compute"); }
};

class ConstExprDiv : public ConstExprOp {
 public:
  ConstExprDiv(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprDiv")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprDiv::compute"); }
};

class ConstExprMul : public ConstExprOp {
 public:
  ConstExprMul(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprMul")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprMul::compute"); }
};

class ConstExprSub : public ConstExprOp {
 public:
  ConstExprSub(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprSub")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprSub::compute"); }
};

class ConstExprFmod : public ConstExprOp {
 public:
  ConstExprFmod(Op*) : ConstExprOp(emulator::absent<Op*>("popart::ConstExprFmod")) {}
  std::vector<char> compute() override { emulator::missing("popart::ConstExprFmod::compute"); }
};

}  // namespace popart

#endif  // popart_ces_elementwisece_hpp
