#ifndef popart_popx_opxstate_hpp
#define popart_popx_opxstate_hpp

namespace popart {
namespace popx {

class OpxState {};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_opxstate_hpp
