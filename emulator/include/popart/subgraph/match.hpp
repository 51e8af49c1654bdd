#ifndef popart_subgraph_match_hpp
#define popart_subgraph_match_hpp

#include <iosfwd>
#include <popart/emulator/absent.hpp>
#include <popart/subgraph/subgraphnames.hpp>
#include <vector>

namespace fwtools {
namespace subgraph {

class Match {
 public:
  Match(const std::vector<Start>&, int) { popart::emulator::missing("fwtools::subgraph::Match"); }
  bool setComparison(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::setComparison");
  }
  bool operator<(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::operator<");
  }
  bool operator==(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::operator==");
  }
  bool intersects(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::intersects");
  }
  bool contains(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::contains");
  }
  bool containsStarts(const std::vector<Start>&) const {
    popart::emulator::missing("fwtools::subgraph::Match::containsStarts");
  }
  bool startsIntersect(const std::vector<Start>&) const {
    popart::emulator::missing("fwtools::subgraph::Match::startsIntersect");
  }
  bool subsumes(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::subsumes");
  }
  bool crosses(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::crosses");
  }
  bool fitsCleanly(const Match&) const {
    popart::emulator::missing("fwtools::subgraph::Match::fitsCleanly");
  }
  void setValue(double) { popart::emulator::missing("fwtools::subgraph::Match::setValue"); }
  double getValue() const { popart::emulator::missing("fwtools::subgraph::Match::getValue"); }
  void setDiscountedValue(double) {
    popart::emulator::missing("fwtools::subgraph::Match::setDiscountedValue");
  }
  double getDiscountedValue() const {
    popart::emulator::missing("fwtools::subgraph::Match::getDiscountedValue");
  }
  std::vector<Start> starts;
  int length;
};

inline bool firstContainsSecond(const std::vector<int>&, const std::vector<int>&) {
  popart::emulator::missing("fwtools::subgraph::firstContainsSecond");
}

inline std::ostream& operator<<(std::ostream&, const Match&) {
  popart::emulator::missing("fwtools::subgraph::operator<<");
}

}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_match_hpp
