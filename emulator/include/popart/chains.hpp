#ifndef popart_chains_hpp
#define popart_chains_hpp

#include <functional>
#include <iosfwd>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/region.hpp>
#include <string>
#include <vector>

namespace popart {
namespace view {

class Link {
 public:
  static Link getIdentity(const Region&) { emulator::missing("popart::view::Link::getIdentity"); }
  Link(const Region&, const RegMap&) { emulator::missing("popart::view::Link"); }
  Link(const Region&, const RegMap&, const std::string&) {
    emulator::missing("popart::view::Link");
  }
  Regions apply(const Region&) const { emulator::missing("popart::view::Link::apply"); }
  const Region& getFilter() const { emulator::missing("popart::view::Link::getFilter"); }
  bool contains(const Link&) const { emulator::missing("popart::view::Link::contains"); }
  void append(std::ostream&) const { emulator::missing("popart::view::Link::append"); }
};

inline std::ostream& operator<<(std::ostream&, const Link&) {
  emulator::missing("popart::view::operator<<");
}

class Chain {
 public:
  static Chain getIdentity(const Region&) { emulator::missing("popart::view::Chain::getIdentity"); }
  Chain(const Link&) { emulator::missing("popart::view::Chain"); }
  Regions apply(const Region&) const { emulator::missing("popart::view::Chain::apply"); }
  void append(const Chain&) { emulator::missing("popart::view::Chain::append"); }
  const std::vector<Link>& getLinks() const { emulator::missing("popart::view::Chain::getLinks"); }
  bool untraversable() const { emulator::missing("popart::view::Chain::untraversable"); }
  bool contains(const Chain&) const { emulator::missing("popart::view::Chain::contains"); }
};

inline std::ostream& operator<<(std::ostream&, const Chain&) {
  emulator::missing("popart::view::operator<<");
}

class Chains {
 public:
  static Chains getIdentity(const Region&) {
    emulator::missing("popart::view::Chains::getIdentity");
  }
  static Chains getIdentity(const Shape&) {
    emulator::missing("popart::view::Chains::getIdentity");
  }
  Chains() = default;
  Chains(const Link&) { emulator::missing("popart::view::Chains"); }
  Chains(const std::vector<Chain>&) { emulator::missing("popart::view::Chains"); }
  Chains series(const Chains&) const { emulator::missing("popart::view::Chains::series"); }
  Chains parallel(const Chains&) const { emulator::missing("popart::view::Chains::parallel"); }
  Regions apply(const Region&) const { emulator::missing("popart::view::Chains::apply"); }
  bool isEmpty() const { emulator::missing("popart::view::Chains::isEmpty"); }
  const std::vector<Chain>& getChainUnion() const {
    emulator::missing("popart::view::Chains::getChainUnion");
  }
};

inline std::ostream& operator<<(std::ostream&, const Chains&) {
  emulator::missing("popart::view::operator<<");
}

}  // namespace view
}  // namespace popart

#endif  // popart_chains_hpp
