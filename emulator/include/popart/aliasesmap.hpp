#ifndef popart_aliasesmap_hpp
#define popart_aliasesmap_hpp

#include <map>
#include <popart/aliases.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>

namespace popart {

class Graph;
class Ir;
class Op;
class AliasesMap {
 public:
  AliasesMap() { emulator::missing("popart::AliasesMap"); }
  explicit AliasesMap(const Ir*) { emulator::missing("popart::AliasesMap"); }
  explicit AliasesMap(const Graph&) { emulator::missing("popart::AliasesMap"); }
  void setIr(const Ir*) { emulator::missing("popart::AliasesMap::setIr"); }
  Aliases& getAliases(const GraphId&) { emulator::missing("popart::AliasesMap::getAliases"); }
  Aliases& getAliases(Graph&) { emulator::missing("popart::AliasesMap::getAliases"); }
  const Aliases& getAliases(const GraphId&) const {
    emulator::missing("popart::AliasesMap::getAliases");
  }
  const Aliases& getAliases(Graph&) const { emulator::missing("popart::AliasesMap::getAliases"); }
  void clear() { emulator::missing("popart::AliasesMap::clear"); }
  void update() { emulator::missing("popart::AliasesMap::update"); }
  void update(const GraphId&) { emulator::missing("popart::AliasesMap::update"); }
  void update(const Graph&) { emulator::missing("popart::AliasesMap::update"); }
  void update(Op*) { emulator::missing("popart::AliasesMap::update"); }
};

}  // namespace popart

#endif  // popart_aliasesmap_hpp
