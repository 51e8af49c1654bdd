#ifndef popart_pointercomparators_hpp
#define popart_pointercomparators_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/op.hpp>
#include <popart/tensor.hpp>  // POpCmp and PTensorCmp
#include <utility>
#include <vector>

namespace popart {

namespace popx {
class ICreatorCandidate;
}  // namespace popx
using ICreatorCandidatePtr = std::shared_ptr<popx::ICreatorCandidate>;

/// Orders lists of tensors by their ids.
struct VectorPTensorCmp {
  bool operator()(const std::vector<Tensor*>& a, const std::vector<Tensor*>& b) const {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
      if (a[i]->id != b[i]->id) return a[i]->id < b[i]->id;
    return a.size() < b.size();
  }
};

/// Order pairs by the ids of their ops, then by their values.
struct POpBoolCmp {
  bool operator()(const std::pair<Op*, bool>& a, const std::pair<Op*, bool>& b) const {
    return std::make_pair(a.first->id, a.second) < std::make_pair(b.first->id, b.second);
  }
};
struct POpIntCmp {
  bool operator()(const std::pair<Op*, int>& a, const std::pair<Op*, int>& b) const {
    return std::make_pair(a.first->id, a.second) < std::make_pair(b.first->id, b.second);
  }
};

/// Order what creates a tensor.
struct PICreatorCandidateCmp {
  bool operator()(const popx::ICreatorCandidate*, const popx::ICreatorCandidate*) const {
    emulator::missing("popart::PICreatorCandidateCmp");
  }
};
struct ICreatorCandidatePtrCmp {
  bool operator()(const ICreatorCandidatePtr&, const ICreatorCandidatePtr&) const {
    emulator::missing("popart::ICreatorCandidatePtrCmp");
  }
};

}  // namespace popart

#endif  // popart_pointercomparators_hpp
