#ifndef popart_popx_op_lstmxutil_hpp
#define popart_popx_op_lstmxutil_hpp

#include <popart/emulator/absent.hpp>
#include <popart/op/lstmutil.hpp>
#include <popnn/NonLinearityDef.hpp>

namespace popart {
namespace popx {

inline popnn::NonLinearityType convert(ActivationFunction) {
  emulator::missing("popart::popx::convert");
}

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_lstmxutil_hpp
