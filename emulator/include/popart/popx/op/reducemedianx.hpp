#ifndef popart_popx_op_reducemedianx_hpp
#define popart_popx_op_reducemedianx_hpp

#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReduceMedianOpx : public Opx {
 public:
  ReduceMedianOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceMedianOpx"), nullptr) {}
};

class ReduceMedianGradOpx : public Opx {
 public:
  ReduceMedianGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReduceMedianGradOpx"), nullptr) {}
};

namespace reducemedianinternal {

struct PreprocessingParams {
  std::vector<int64_t> axes_complement;
  std::vector<unsigned int> dim_permute;
  std::vector<unsigned int> dim_permute_reverse;
};

inline PreprocessingParams computePreprocessingParams(const Shape&, const std::vector<int64_t>&) {
  emulator::missing("popart::popx::reducemedianinternal::computePreprocessingParams");
}

}  // namespace reducemedianinternal
}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reducemedianx_hpp
