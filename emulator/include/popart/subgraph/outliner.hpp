#ifndef popart_subgraph_outliner_hpp
#define popart_subgraph_outliner_hpp

#include <algorithm>
#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/logging.hpp>
#include <popart/subgraph/algo0.hpp>
#include <popart/subgraph/algo1.hpp>
#include <popart/subgraph/match.hpp>
#include <popart/subgraph/outliner.hpp>
#include <popart/subgraph/subgraphutil.hpp>
#include <utility>
#include <vector>

namespace fwtools {
namespace subgraph {

enum class OutlinerAlgorithm { ALGO0, ALGO1 };

inline OutlinerAlgorithm getDefaultOutlinerAlgorithm() {
  popart::emulator::missing("fwtools::subgraph::getDefaultOutlinerAlgorithm");
}

template <typename T>
std::vector<Match> getRinseMatches(const std::vector<T*>&,
                                   const std::vector<std::pair<size_t, size_t>>&, float, float,
                                   OutlinerAlgorithm) {
  popart::emulator::missing("fwtools::subgraph::getRinseMatches");
}

}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_outliner_hpp
