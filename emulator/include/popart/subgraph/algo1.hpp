#ifndef popart_subgraph_algo1_hpp
#define popart_subgraph_algo1_hpp

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/subgraph/isomorphic.hpp>
#include <popart/subgraph/match.hpp>
#include <popart/subgraph/rinsematcherbase.hpp>
#include <popart/subgraph/subgraphnames.hpp>
#include <popart/subgraph/subgraphutil.hpp>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace fwtools {
namespace subgraph {
namespace algo1 {

class VectorCompare {
 public:
  bool operator()(const std::vector<Start>&, const std::vector<Start>&) const {
    popart::emulator::missing("fwtools::subgraph::algo1::VectorCompare::operator()");
  }
};

class Algo1Base {
 public:
  Algo1Base(const std::vector<int>&, int) {
    popart::emulator::missing("fwtools::subgraph::algo1::Algo1Base");
  }
  virtual ~Algo1Base() = default;
  std::vector<Match> getPreThresholded() {
    popart::emulator::missing("fwtools::subgraph::algo1::Algo1Base::getPreThresholded");
  }
  void init() { popart::emulator::missing("fwtools::subgraph::algo1::Algo1Base::init"); }

 private:
  using CurrentEnqueueKey = std::tuple<int, std::array<int, 8>>;
  virtual void setVal(Match&) = 0;
  virtual void setVals(std::vector<Match>&) = 0;
  virtual int isoTil(int, Start, Start) = 0;
  virtual std::vector<Match> partitionedByIsomorphism(const Match&) = 0;
};

inline std::vector<int> getSequenceBreaks(const std::vector<std::pair<size_t, size_t>>&) {
  popart::emulator::missing("fwtools::subgraph::algo1::getSequenceBreaks");
}

template <typename T>
class Algo1 : public Algo1Base {
 public:
  Algo1(const std::vector<T*>&, const std::vector<std::pair<size_t, size_t>>&, float)
      : Algo1Base(
            popart::emulator::absent<const std::vector<int>>("fwtools::subgraph::algo1::Algo1"),
            popart::emulator::absent<int>("fwtools::subgraph::algo1::Algo1")) {}

 private:
  void setVal(Match&) override {
    popart::emulator::missing("fwtools::subgraph::algo1::Algo1::setVal");
  }
  void setVals(std::vector<Match>&) override {
    popart::emulator::missing("fwtools::subgraph::algo1::Algo1::setVals");
  }
  int isoTil(int, Start, Start) override {
    popart::emulator::missing("fwtools::subgraph::algo1::Algo1::isoTil");
  }
  std::vector<Match> partitionedByIsomorphism(const Match&) override {
    popart::emulator::missing("fwtools::subgraph::algo1::Algo1::partitionedByIsomorphism");
  }
};

}  // namespace algo1
}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_algo1_hpp
