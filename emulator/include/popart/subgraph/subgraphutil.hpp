#ifndef popart_subgraph_subgraphutil_hpp
#define popart_subgraph_subgraphutil_hpp

#include <functional>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/subgraph/match.hpp>
#include <popart/subgraph/subgraphnames.hpp>
#include <vector>

namespace fwtools {
namespace subgraph {

inline std::vector<Match> applyIncrementalThreshold(const std::vector<Match>&, int, double) {
  popart::emulator::missing("fwtools::subgraph::applyIncrementalThreshold");
}

template <typename T>
std::vector<int> getIntSchedule(const std::vector<T*>&) {
  popart::emulator::missing("fwtools::subgraph::getIntSchedule");
}

template <class T>
void setValue(Match&, const std::vector<T*>&) {
  popart::emulator::missing("fwtools::subgraph::setValue");
}

template <class T>
std::vector<double> getCumVals(const std::vector<T*>&) {
  popart::emulator::missing("fwtools::subgraph::getCumVals");
}

template <class T>
void setValues(std::vector<Match>&, const std::vector<T*>&) {
  popart::emulator::missing("fwtools::subgraph::setValues");
}

inline std::vector<Match> separateMultipleMatches(
    const std::vector<Match>&, const std::function<bool(int, const std::vector<Start>&, Start)>&) {
  popart::emulator::missing("fwtools::subgraph::separateMultipleMatches");
}

inline std::vector<Match> separateSingleMatch(
    const Match&, const std::function<bool(int, const std::vector<Start>&, Start)>&) {
  popart::emulator::missing("fwtools::subgraph::separateSingleMatch");
}

inline std::vector<Match> separateByOverlaps(const std::vector<Match>&) {
  popart::emulator::missing("fwtools::subgraph::separateByOverlaps");
}

inline bool areIntersecting(int, int, const std::vector<Start>&, Start) {
  popart::emulator::missing("fwtools::subgraph::areIntersecting");
}

inline bool areCrossing(int, int, const std::vector<Start>&, Start) {
  popart::emulator::missing("fwtools::subgraph::areCrossing");
}

}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_subgraphutil_hpp
