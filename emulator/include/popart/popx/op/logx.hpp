#ifndef popart_popx_op_logx_hpp
#define popart_popx_op_logx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LogOpx : public ElementWiseUnaryOpx {
 public:
  LogOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::LogOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_logx_hpp
