#ifndef popops_DynamicSlice_hpp
#define popops_DynamicSlice_hpp

#include <ostream>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <string>
#include <vector>

namespace popops {

/// The strategy of multiSlice and its variants. There is a single strategy here: a plan has what
/// was asked for, so that plans of different requests are unequal.
class SlicePlan {
 public:
  std::string request;  // "half 2 x 16 of 4, lookups {2}"; empty without a request
};

inline bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept {
  return a.request == b.request;
}
inline bool operator!=(const SlicePlan& a, const SlicePlan& b) noexcept { return !(a == b); }
inline bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept {
  return a.request < b.request;
}
inline std::ostream& operator<<(std::ostream& out, const SlicePlan& plan) {
  return out << "SlicePlan(" << plan.request << ")";
}

/// A tensor that can be sliced along `dims` without exchange: for each index into the other
/// dimensions, all of `dims` lies on one tile, at least `minGrainSize` indices to a tile.
poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                     const std::vector<std::size_t>& shape,
                                     const std::vector<std::size_t>& dims,
                                     const std::vector<std::size_t>& sizes,
                                     std::size_t minGrainSize = 0,
                                     const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                     const std::vector<std::size_t>& shape,
                                     const std::vector<std::size_t>& dims,
                                     const std::vector<std::size_t>& sizes, const SlicePlan& plan,
                                     const poplar::OptionFlags& options,
                                     const poplar::DebugContext& debugContext = {});
/// Such a tensor, mapped as the slice `s`, with `numSlices` for the sizes of `s` along `dims`.
poplar::Tensor createSliceableTensorFromSlice(poplar::Graph& graph, const poplar::Tensor& s,
                                              const std::vector<std::size_t>& dims,
                                              const std::vector<std::size_t>& numSlices,
                                              const poplar::DebugContext& debugContext = {});
/// `numIndices` slices of `t`: a first dimension of numIndices, and those of a slice.
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Tensor& t,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes, std::size_t numIndices,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Type& type,
                                 const std::vector<std::size_t>& shape,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes, std::size_t numIndices,
                                 const SlicePlan& plan, const poplar::OptionFlags& options,
                                 const poplar::DebugContext& debugContext = {});
/// Indices for multiSlice: {numIndices, dims.size()} of unsigned int.
poplar::Tensor createIndicesTensor(poplar::Graph& graph, const std::vector<std::size_t>& dims,
                                   std::size_t numIndices, const SlicePlan& plan,
                                   const poplar::OptionFlags& options,
                                   const poplar::DebugContext& debugContext = {});
/// The same for the grouped forms: `shape` and `dims` are of one group, a first dimension of
/// `groupSize` comes before.
poplar::Tensor createGroupedSliceableTensor(
    poplar::Graph& graph, const poplar::Type& type, std::size_t groupSize,
    const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
    const std::vector<std::size_t>& sizes, const SlicePlan& plan,
    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
poplar::Tensor createGroupedSliceTensor(
    poplar::Graph& graph, const poplar::Type& type, std::size_t groupSize,
    const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
    const std::vector<std::size_t>& sizes, std::size_t numIndices, const SlicePlan& plan,
    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
poplar::Tensor createGroupedIndicesTensor(poplar::Graph& graph, std::size_t groupSize,
                                          const std::vector<std::size_t>& dims,
                                          std::size_t numIndices, const SlicePlan& plan,
                                          const poplar::OptionFlags& options,
                                          const poplar::DebugContext& debugContext = {});
/// The mapping of a slice that dynamicSlice makes.
poplar::Graph::TileToTensorMapping getSliceMapping(poplar::Graph& graph, const poplar::Tensor& t,
                                                   const std::vector<std::size_t>& dims,
                                                   const std::vector<std::size_t>& sizes);

/// The slice of `t` that begins at `offset[i]` along dimension `dims[i]` and has `sizes[i]` there.
/// Offsets are known on the device only: {dims.size()} of unsigned int or int. One beyond the end
/// counts as 0, and a slice that reaches beyond it goes on at the beginning. With the option
/// paddingIndexUsed, and not remapOutOfBoundIndices, one beyond the end gives zeros. Dimensions of
/// which least is left are sliced first.
poplar::Tensor dynamicSlice(poplar::Graph& graph, const poplar::Tensor& t,
                            const poplar::Tensor& offset, const std::vector<std::size_t>& dims,
                            const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});
/// Variables as dynamicSlice makes them, for dynamicSliceWithOutput.
poplar::Tensor createDynamicSliceOutput(poplar::Graph& graph, const poplar::Tensor& t,
                                        const poplar::Tensor& offset,
                                        const std::vector<std::size_t>& dims,
                                        const std::vector<std::size_t>& sizes,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void dynamicSliceWithOutput(poplar::Graph& graph, const poplar::Tensor& output,
                            const poplar::Tensor& t, const poplar::Tensor& offset,
                            const std::vector<std::size_t>& dims,
                            const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});
/// Writes the slice `s` to that slice of `t`.
void dynamicUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                   const poplar::Tensor& offset, const std::vector<std::size_t>& dims,
                   const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});

/// Slices at many offsets: `offsets` {N, dims.size()} gives {N, ...slice}. Of slices of one row
/// along one dimension an offset beyond the end gives zeros. The grouped forms have tensors of G
/// groups: `t` {G, ...}, `offsets` {G, N, dims.size()}, slices {G, N, ...slice}; `dims` count from
/// the second dimension of `t`. Options, of updates too: with remapOutOfBoundIndices such an offset
/// is 0; with validateIndices it ends the run with `application_runtime_error`, but for the size of
/// the dimension with paddingIndexUsed. An offset of the host that is beyond the end, and neither
/// moved nor padding, throws `poplibs_error`.
poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& t,
                          const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                          const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                          const SlicePlan& plan, const poplar::OptionFlags& options,
                          const poplar::DebugContext& debugContext = {});
poplar::Tensor groupedMultiSlice(poplar::Graph& graph, const poplar::Tensor& t,
                                 const poplar::Tensor& offsets,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes,
                                 poplar::program::Sequence& prog, const SlicePlan& plan,
                                 const poplar::OptionFlags& options,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& t,
                          poplar::ArrayRef<unsigned> offsets, std::size_t dim,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {});

/// Writes the slices `s` {N, ...slice} in order into `t`; offsets beyond the end write nothing.
void multiUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                 const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                 const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                 const SlicePlan& plan, const poplar::OptionFlags& options,
                 const poplar::DebugContext& debugContext = {});
void groupedMultiUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                        const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                        const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                        const SlicePlan& plan, const poplar::OptionFlags& options,
                        const poplar::DebugContext& debugContext = {});
/// Adds `scale` times the slices instead.
void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const poplar::Tensor& scale,
                    const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                    poplar::program::Sequence& prog, const SlicePlan& plan,
                    const poplar::OptionFlags& options,
                    const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const poplar::Tensor& scale,
                           const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});
void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    poplar::ArrayRef<unsigned> offsets, const poplar::Tensor& scale,
                    std::size_t dim, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {},
                    const poplar::OptionFlags& options = {});
/// Takes the greater of each element instead.
void multiUpdateMax(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                    const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                    const SlicePlan& plan, const poplar::OptionFlags& options,
                    const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateMax(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});
/// Multiplies by the slices instead.
void multiUpdateMul(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                    const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                    const SlicePlan& plan, const poplar::OptionFlags& options,
                    const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateMul(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});

namespace embedding {

SlicePlan plan(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t numEntries,
               std::size_t outputSize, const std::vector<std::size_t>& numLookups,
               const poplar::OptionFlags& options);
/// Of `groupSize` groups, for the grouped forms.
SlicePlan plan(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t groupSize,
               std::size_t numEntries, std::size_t outputSize,
               const std::vector<std::size_t>& numLookups, const poplar::OptionFlags& options);

/// The arguments of a plan.
struct SlicePlanningParameters {
  SlicePlanningParameters(const poplar::Graph& graph_, const poplar::Type& dataType_,
                          std::size_t groupSize_, std::size_t numEntries_, std::size_t outputSize_,
                          const std::vector<std::size_t>& numLookups_,
                          const poplar::OptionFlags& optionFlags_)
      : graph(graph_),
        dataType(dataType_),
        groupSize(groupSize_),
        numEntries(numEntries_),
        outputSize(outputSize_),
        numLookups(numLookups_),
        optionFlags(optionFlags_) {}
  SlicePlanningParameters(const poplar::Graph& graph_, const poplar::Type& dataType_,
                          std::size_t numEntries_, std::size_t outputSize_,
                          const std::vector<std::size_t>& numLookups_,
                          const poplar::OptionFlags& optionFlags_)
      : SlicePlanningParameters(graph_, dataType_, 1, numEntries_, outputSize_, numLookups_,
                                optionFlags_) {}

  const poplar::Graph& graph;
  const poplar::Type dataType;
  const std::size_t groupSize;
  const std::size_t numEntries;
  const std::size_t outputSize;
  const std::vector<std::size_t> numLookups;
  const poplar::OptionFlags optionFlags;
};

/// A plan for each.
std::vector<SlicePlan> planMultiple(const std::vector<SlicePlanningParameters>& spds);

}  // namespace embedding
}  // namespace popops

#endif  // popops_DynamicSlice_hpp
