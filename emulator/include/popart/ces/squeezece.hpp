#ifndef popart_ces_squeezece_hpp
#define popart_ces_squeezece_hpp

#include <popart/ces/identityce.hpp>
#include <popart/emulator/absent.hpp>

namespace popart {

class Op;
class ConstExprSqueeze : public ConstExprIdentity {
 public:
  ConstExprSqueeze(Op*) : ConstExprIdentity(emulator::absent<Op*>("popart::ConstExprSqueeze")) {}
};

}  // namespace popart

#endif  // popart_ces_squeezece_hpp
