#ifndef popart_popx_op_bucketizex_hpp
#define popart_popx_op_bucketizex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class Bucketizex : public Opx {
 public:
  Bucketizex(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::Bucketizex"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_bucketizex_hpp
