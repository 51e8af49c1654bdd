#ifndef popart_subgraph_algo0_hpp
#define popart_subgraph_algo0_hpp

#include <popart/emulator/absent.hpp>
#include <popart/subgraph/match.hpp>
#include <popart/subgraph/rinsematcherbase.hpp>
#include <popart/subgraph/subgraphutil.hpp>
#include <vector>

namespace fwtools {
namespace subgraph {
namespace algo0 {

inline std::vector<Match> getRepeatedIntSequences(const std::vector<int>&) {
  popart::emulator::missing("fwtools::subgraph::algo0::getRepeatedIntSequences");
}

template <typename T>
class RinseMatcherAlgo0 : public RinseMatcherBase<T> {
 public:
  RinseMatcherAlgo0(const std::vector<T*>&)
      : RinseMatcherBase<T>(popart::emulator::absent<const std::vector<T*>>(
            "fwtools::subgraph::algo0::RinseMatcherAlgo0")) {}
  std::vector<Match> getRepeatedSequences() const {
    popart::emulator::missing("fwtools::subgraph::algo0::RinseMatcherAlgo0::getRepeatedSequences");
  }
};

inline std::vector<Match> getFinalMatches(const std::vector<Match>&, float, int) {
  popart::emulator::missing("fwtools::subgraph::algo0::getFinalMatches");
}

}  // namespace algo0
}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_algo0_hpp
