#ifndef popart_popx_inputcreatortype_hpp
#define popart_popx_inputcreatortype_hpp

namespace popart {
namespace popx {

/// Whether an Opx lays an input out: it makes the tensor, or passes the layout that an output has
/// on to the input that it is.
enum class InputCreatorType {
  CanCreate = 0,
  CanUnwind,
  CanCreateOrUnwind,
  Deadend,
  CanDelegate,
  CanDelegateOrUnwind
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_inputcreatortype_hpp
