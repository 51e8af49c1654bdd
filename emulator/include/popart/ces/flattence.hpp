#ifndef popart_ces_flattence_hpp
#define popart_ces_flattence_hpp

#include <popart/ces/identityce.hpp>
#include <popart/emulator/absent.hpp>

namespace popart {

class Op;
class ConstExprFlatten : public ConstExprIdentity {
 public:
  ConstExprFlatten(Op*) : ConstExprIdentity(emulator::absent<Op*>("popart::ConstExprFlatten")) {}
};

}  // namespace popart

#endif  // popart_ces_flattence_hpp
