#ifndef popart_popx_op_dropoutx_hpp
#define popart_popx_op_dropoutx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DropoutOpx : public ElementWiseUnaryOpx {
 public:
  DropoutOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::DropoutOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_dropoutx_hpp
