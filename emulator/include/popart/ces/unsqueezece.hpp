#ifndef popart_ces_unsqueezece_hpp
#define popart_ces_unsqueezece_hpp

#include <popart/ces/identityce.hpp>
#include <popart/emulator/absent.hpp>

namespace popart {

class Op;
class ConstExprUnsqueeze : public ConstExprIdentity {
 public:
  ConstExprUnsqueeze(Op*)
      : ConstExprIdentity(emulator::absent<Op*>("popart::ConstExprUnsqueeze")) {}
};

}  // namespace popart

#endif  // popart_ces_unsqueezece_hpp
