#include <popsparse/Embedding.hpp>
#include <poputil/exceptions.hpp>

namespace popsparse {
namespace dynamic {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

Tensor createIndicesTensor(Graph&, const FullyConnectedParams&, std::size_t, const OptionFlags&,
                           const DebugContext&) {
  throw poplibs_error("popsparse::createIndicesTensor: sparse embeddings are not emulated");
}

Tensor createSliceTensor(Graph&, const Type&, const FullyConnectedParams&, std::size_t,
                         const DebugContext&, const OptionFlags&, PlanningCache*) {
  throw poplibs_error("popsparse::createSliceTensor: sparse embeddings are not emulated");
}

Tensor embeddingSlice(Graph&, const SparseTensor&, const Tensor&, Sequence&,
                      const FullyConnectedParams&, const DebugContext&, const OptionFlags&,
                      PlanningCache*) {
  throw poplibs_error("popsparse::embeddingSlice: sparse embeddings are not emulated");
}

void embeddingUpdateAdd(Graph&, const SparseTensor&, const Tensor&, const Tensor&, const Tensor&,
                        Sequence&, const FullyConnectedParams&, const DebugContext&,
                        const OptionFlags&, PlanningCache*) {
  throw poplibs_error("popsparse::embeddingUpdateAdd: sparse embeddings are not emulated");
}

}  // namespace dynamic
}  // namespace popsparse
