#ifndef popart_subgraph_isomorphic_hpp
#define popart_subgraph_isomorphic_hpp

#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/subgraph/subgraphnames.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace fwtools {
namespace subgraph {

template <typename T>
std::vector<InIndex> getSubgraphInIndices(T*) {
  popart::emulator::missing("fwtools::subgraph::getSubgraphInIndices");
}

template <typename T>
std::vector<OutIndex> getSubgraphOutIndices(T*) {
  popart::emulator::missing("fwtools::subgraph::getSubgraphOutIndices");
}

struct InternalConsumer {
  InternalConsumer(int, InIndex) {
    popart::emulator::missing("fwtools::subgraph::InternalConsumer");
  }
  int delta;
  InIndex inIndex;
  bool operator==(const InternalConsumer&) const {
    popart::emulator::missing("fwtools::subgraph::InternalConsumer::operator==");
  }
  bool operator!=(const InternalConsumer&) const {
    popart::emulator::missing("fwtools::subgraph::InternalConsumer::operator!=");
  }
};

template <typename T>
int isomorphicUntil(int, Start, Start, const std::vector<T*>&, const std::map<T*, int>&) {
  popart::emulator::missing("fwtools::subgraph::isomorphicUntil");
}

template <typename T>
bool areIsomorphic(int, Start, Start, const std::vector<T*>&, const std::map<T*, int>&) {
  popart::emulator::missing("fwtools::subgraph::areIsomorphic");
}

}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_isomorphic_hpp
