// An op's proposal of an in-place variant. The emulation keeps every op as it was written, so a
// proposal is a value that nothing asks for.
#ifndef poprithms_memory_inplace_proposal_hpp
#define poprithms_memory_inplace_proposal_hpp

namespace poprithms {
namespace memory {
namespace inplace {

class Proposal {};

}  // namespace inplace
}  // namespace memory
}  // namespace poprithms

#endif  // poprithms_memory_inplace_proposal_hpp
