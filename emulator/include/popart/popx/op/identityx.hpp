#ifndef popart_popx_op_identityx_hpp
#define popart_popx_op_identityx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class IdentityOpx : public ElementWiseUnaryOpx {
 public:
  IdentityOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::IdentityOpx"), nullptr) {}
};

class IdentityInplaceOpx : public Opx {
 public:
  IdentityInplaceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::IdentityInplaceOpx"), nullptr) {}
};

class IdentityGradOpx : public ElementWiseUnaryOpx {
 public:
  IdentityGradOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::IdentityGradOpx"), nullptr) {}
};

class IdentityLossOpx : public Opx {
 public:
  IdentityLossOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::IdentityLossOpx"), nullptr) {}
};

class IdentityLossGradOpx : public Opx {
 public:
  IdentityLossGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::IdentityLossGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_identityx_hpp
