#ifndef popart_ces_reshapece_hpp
#define popart_ces_reshapece_hpp

#include <popart/ces/identityce.hpp>
#include <popart/emulator/absent.hpp>

namespace popart {

class Op;
class ConstExprReshape : public ConstExprIdentity {
 public:
  ConstExprReshape(Op*) : ConstExprIdentity(emulator::absent<Op*>("popart::ConstExprReshape")) {}
};

}  // namespace popart

#endif  // popart_ces_reshapece_hpp
