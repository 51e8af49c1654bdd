#ifndef popart_subgraph_rinsematcherbase_hpp
#define popart_subgraph_rinsematcherbase_hpp

#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/subgraph/isomorphic.hpp>
#include <popart/subgraph/match.hpp>
#include <popart/subgraph/subgraphnames.hpp>
#include <popart/subgraph/subgraphutil.hpp>
#include <vector>

namespace fwtools {
namespace subgraph {

template <typename T>
class RinseMatcherBase {
 public:
  RinseMatcherBase(const std::vector<T*>&)
      : schedule(popart::emulator::absent<const std::vector<T*>>(
            "fwtools::subgraph::RinseMatcherBase")) {}
  const std::vector<T*>& schedule;
  std::map<T*, int> schedule_index;
  std::vector<Match> separateMultipleMatchesByIsomorphism(const std::vector<Match>&) const {
    popart::emulator::missing(
        "fwtools::subgraph::RinseMatcherBase::separateMultipleMatchesByIsomorphism");
  }
  std::vector<Match> separateSingleMatchByIsomorphism(const Match&) const {
    popart::emulator::missing(
        "fwtools::subgraph::RinseMatcherBase::separateSingleMatchByIsomorphism");
  }
};

}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_rinsematcherbase_hpp
