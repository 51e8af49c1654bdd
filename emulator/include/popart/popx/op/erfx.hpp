#ifndef popart_popx_op_erfx_hpp
#define popart_popx_op_erfx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ErfxOpx : public ElementWiseUnaryOpx {
 public:
  ErfxOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::ErfxOpx"), nullptr) {}
};

class ErfxGradOpx : public ElementWiseUnaryOpx {
 public:
  ErfxGradOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::ErfxGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_erfx_hpp
