#ifndef popart_popx_op_histogramx_hpp
#define popart_popx_op_histogramx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class HistogramOpx : public Opx {
 public:
  HistogramOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::HistogramOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_histogramx_hpp
