#ifndef popart_popx_op_tilex_hpp
#define popart_popx_op_tilex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class TileOpx : public Opx {
 public:
  TileOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::TileOpx"), nullptr) {}
};

class TileGradOpx : public Opx {
 public:
  TileGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::TileGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_tilex_hpp
