#ifndef popart_maxclique_hpp
#define popart_maxclique_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <utility>
#include <vector>

namespace popart {
namespace graphclique {

using ColorGroup = std::vector<int>;

using ColorGroups = std::vector<ColorGroup>;

using Vertex = std::pair<int, int>;

using Vertices = std::vector<Vertex>;

class AGraph {
 public:
  AGraph(int) { emulator::missing("popart::graphclique::AGraph"); }
  void addEdge(int, int) { emulator::missing("popart::graphclique::AGraph::addEdge"); }
  bool getEdge(int, int) const { emulator::missing("popart::graphclique::AGraph::getEdge"); }
  int numVertices() const { emulator::missing("popart::graphclique::AGraph::numVertices"); }
};

class MaxClique {
 public:
  MaxClique(AGraph) { emulator::missing("popart::graphclique::MaxClique"); }
  std::vector<std::vector<int>> getMaximumCliques(int, int, const float = 0.03f) {
    emulator::missing("popart::graphclique::MaxClique::getMaximumCliques");
  }
  bool getEdge(int, int) const { emulator::missing("popart::graphclique::MaxClique::getEdge"); }
  bool colorCut(const int, const ColorGroup&) {
    emulator::missing("popart::graphclique::MaxClique::colorCut");
  }
  void verticesCut(const Vertices&, Vertices&) {
    emulator::missing("popart::graphclique::MaxClique::verticesCut");
  }
  void setColorsToDegrees(Vertices&) {
    emulator::missing("popart::graphclique::MaxClique::setColorsToDegrees");
  }
  void sortByColor(Vertices&) { emulator::missing("popart::graphclique::MaxClique::sortByColor"); }
  void updateDegree(Vertices&) {
    emulator::missing("popart::graphclique::MaxClique::updateDegree");
  }
  void sortByDegree(Vertices&) {
    emulator::missing("popart::graphclique::MaxClique::sortByDegree");
  }
  void branch(Vertices, int) { emulator::missing("popart::graphclique::MaxClique::branch"); }
};

}  // namespace graphclique
}  // namespace popart

#endif  // popart_maxclique_hpp
