#ifndef popart_aliases_hpp
#define popart_aliases_hpp

#include <popart/chains.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/tensor.hpp>
#include <set>
#include <string>
#include <unordered_map>

namespace popart {

struct PTensorCmp;
class Tensor;
class Aliases {
 public:
  Aliases() = default;
  virtual ~Aliases() = default;
  Aliases& operator=(const Aliases&) = default;
  void clearAliases() { emulator::missing("popart::Aliases::clearAliases"); }
  void updateAliases(Tensor*, Tensor*, view::Regions, view::RegMap, view::RegMap,
                     std::string = "None", std::string = "None") {
    emulator::missing("popart::Aliases::updateAliases");
  }
  view::Regions getAliasRegions(Tensor*, Tensor*) const {
    emulator::missing("popart::Aliases::getAliasRegions");
  }
  std::unordered_map<Tensor*, view::Chains> aliasChainsTo(Tensor*) const {
    emulator::missing("popart::Aliases::aliasChainsTo");
  }
  std::unordered_map<Tensor*, view::Chains> aliasChainsFrom(Tensor*) const {
    emulator::missing("popart::Aliases::aliasChainsFrom");
  }
  view::Chains getChainsFromTo(Tensor*, Tensor*) const {
    emulator::missing("popart::Aliases::getChainsFromTo");
  }
  void addAllAliases(const Aliases&) { emulator::missing("popart::Aliases::addAllAliases"); }
  std::set<Tensor*, PTensorCmp> getTensors() const {
    emulator::missing("popart::Aliases::getTensors");
  }
};

}  // namespace popart

#endif  // popart_aliases_hpp
