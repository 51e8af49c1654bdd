#include <algorithm>
#include <cstring>
#include <gcl/CollectiveBalancedReorder.hpp>
#include <poputil/exceptions.hpp>

namespace gcl {

using namespace poplar;
using poputil::poplibs_error;

namespace {

void checkSize(const char* function, const char* what, std::size_t expected, std::int64_t got) {
  if (got < 0 || static_cast<std::size_t>(got) < expected) {
    throw poplibs_error(std::string(function) + ": expected " + what + " of at least " +
                        std::to_string(expected) + " bytes, got " + std::to_string(got));
  }
}

}  // namespace

std::size_t CollectiveBalancedHostRearrangement::numReferenceElements() const {
  std::size_t n = 0;
  for (const Interval& r : slices_) n += r.size();
  return n;
}

void CollectiveBalancedHostRearrangement::rearrangeForCollective(const char* in, char* out,
                                                                 std::int64_t elemByteSize) const {
  const std::size_t bytes = static_cast<std::size_t>(elemByteSize);
  std::memset(out, 0, getNumRearrangedTensorElems() * bytes);
  for (const Interval& r : slices_) {
    std::memcpy(out + r.begin() * bytes, in, r.size() * bytes);
    in += r.size() * bytes;
  }
}

void CollectiveBalancedHostRearrangement::undoRearrangeForCollective(
    const char* in, char* out, std::int64_t elemByteSize) const {
  const std::size_t bytes = static_cast<std::size_t>(elemByteSize);
  for (const Interval& r : slices_) {
    std::memcpy(out, in + r.begin() * bytes, r.size() * bytes);
    out += r.size() * bytes;
  }
}

void CollectiveBalancedHostRearrangement::rearrangeForCollective(const char* in,
                                                                 std::int64_t inSize, char* out,
                                                                 std::int64_t outSize,
                                                                 std::int64_t elemByteSize) const {
  const std::size_t bytes = static_cast<std::size_t>(elemByteSize);
  checkSize("rearrangeForCollective", "an input", numReferenceElements() * bytes, inSize);
  checkSize("rearrangeForCollective", "an output", getNumRearrangedTensorElems() * bytes, outSize);
  rearrangeForCollective(in, out, elemByteSize);
}

void CollectiveBalancedHostRearrangement::undoRearrangeForCollective(
    const char* in, std::int64_t inSize, char* out, std::int64_t outSize,
    std::int64_t elemByteSize) const {
  const std::size_t bytes = static_cast<std::size_t>(elemByteSize);
  checkSize("undoRearrangeForCollective", "an input", getNumRearrangedTensorElems() * bytes,
            inSize);
  checkSize("undoRearrangeForCollective", "an output", numReferenceElements() * bytes, outSize);
  undoRearrangeForCollective(in, out, elemByteSize);
}

// The elements stay in the tensor's order: each replica has the same number of whole grains of
// them, and the last ones have padding.
CollectiveBalancedReorder::CollectiveBalancedReorder(Graph& graph, const Tensor& tensor,
                                                     unsigned replicationFactor,
                                                     const DebugNameAndId& dnai, bool,
                                                     unsigned grainSize)
    : graph_(graph), reference_(tensor), name_(dnai.getPathName()) {
  if (replicationFactor == 0 || grainSize == 0) {
    throw poplibs_error("CollectiveBalancedReorder: expected replicas and a grain above 0, got " +
                        std::to_string(replicationFactor) + " and " + std::to_string(grainSize));
  }
  const std::size_t n = tensor.numElements();
  const std::size_t grains = (n + grainSize - 1) / grainSize;
  host_.setReplicationFactor(replicationFactor);
  host_.setTotalElementsPerReplica((grains + replicationFactor - 1) / replicationFactor *
                                   grainSize);
  host_.setGatheredToRefSlices({Interval(0, n)});
}

Tensor CollectiveBalancedReorder::createReplicaSlice(const Type& type) {
  return graph_.addVariable(type, {host_.getTotalElementsPerReplica()},
                            VariableMappingMethod::LINEAR, {name_ + "/replica_slice"});
}

Tensor CollectiveBalancedReorder::createCollectivesTensor(const Type& type,
                                                          const std::string& debugPrefix) {
  const Tensor out =
      graph_.addVariable(type, {getNumRearrangedTensorElems()}, VariableMappingMethod::LINEAR,
                         {name_ + "/" + debugPrefix + "_collectives"});
  // What is no padding lies where the reference does.
  graph_.setTileMapping(out.slice(0, reference_.numElements()), graph_.getTileMapping(reference_));
  return out;
}

Tensor CollectiveBalancedReorder::undoRearrangeForCollective(const Tensor& tensor) const {
  if (tensor.numElements() != getNumRearrangedTensorElems()) {
    throw poplibs_error("undoRearrangeForCollective: expected " +
                        std::to_string(getNumRearrangedTensorElems()) + " elements, got " +
                        tensor.shapeToString());
  }
  return tensor.flatten().slice(0, reference_.numElements()).reshape(reference_.shape());
}

}  // namespace gcl
