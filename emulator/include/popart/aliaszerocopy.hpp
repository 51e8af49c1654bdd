#ifndef popart_aliaszerocopy_hpp
#define popart_aliaszerocopy_hpp

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <popart/aliases.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/liveness.hpp>
#include <popart/names.hpp>
#include <popart/pointercomparators.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace popart {

class Ir;
class Op;
class Tensor;

namespace liveness {

enum ProducerInterval { Enforce = 0, Ignore };

class Intervals {
 public:
  Intervals() { emulator::missing("popart::liveness::Intervals"); }
  void insert(int64_t, int64_t) { emulator::missing("popart::liveness::Intervals::insert"); }
  bool empty() const { emulator::missing("popart::liveness::Intervals::empty"); }
  Intervals operator&(const Intervals&) const {
    emulator::missing("popart::liveness::Intervals::operator&");
  }
  Intervals& operator=(const Intervals&) {
    emulator::missing("popart::liveness::Intervals::operator=");
  }
  Intervals& operator+=(const Intervals&) {
    emulator::missing("popart::liveness::Intervals::operator+=");
  }
  bool operator==(const Intervals&) const {
    emulator::missing("popart::liveness::Intervals::operator==");
  }
  bool operator!=(const Intervals&) const {
    emulator::missing("popart::liveness::Intervals::operator!=");
  }
};

class AliasZeroCopy {
 public:
  static std::size_t id() { emulator::missing("popart::liveness::AliasZeroCopy::id"); }
  AliasZeroCopy(const Ir*, const LivenessAnalyzer*) {
    emulator::missing("popart::liveness::AliasZeroCopy");
  }
  void apply() { emulator::missing("popart::liveness::AliasZeroCopy::apply"); }
  void removePostIRAliases(Tensor*) {
    emulator::missing("popart::liveness::AliasZeroCopy::removePostIRAliases");
  }
  std::set<Tensor*, PTensorCmp> getPostIRAliases(Tensor*) const {
    emulator::missing("popart::liveness::AliasZeroCopy::getPostIRAliases");
  }
  std::set<Tensor*, PTensorCmp> getTensorsWithPostIRAliases() const {
    emulator::missing("popart::liveness::AliasZeroCopy::getTensorsWithPostIRAliases");
  }
  static bool doOverlap(const Intervals&, const Intervals&) {
    emulator::missing("popart::liveness::AliasZeroCopy::doOverlap");
  }
  std::set<Tensor*, PTensorCmp> getProposedAliasedTensors(std::set<Tensor*, PTensorCmp>,
                                                          bool) const {
    emulator::missing("popart::liveness::AliasZeroCopy::getProposedAliasedTensors");
  }
  std::set<Tensor*, PTensorCmp> getActiveAliasedTensors(std::set<Tensor*, PTensorCmp>, bool) const {
    emulator::missing("popart::liveness::AliasZeroCopy::getActiveAliasedTensors");
  }
  void activateAlias(Tensor*, Tensor*) {
    emulator::missing("popart::liveness::AliasZeroCopy::activateAlias");
  }
  bool nodeRequired(Op*, OpStatus, int) const {
    emulator::missing("popart::liveness::AliasZeroCopy::nodeRequired");
  }
  bool opRequired(Op*) const { emulator::missing("popart::liveness::AliasZeroCopy::opRequired"); }
  bool copyInputRequired(Op*, InIndex) const {
    emulator::missing("popart::liveness::AliasZeroCopy::copyInputRequired");
  }
  bool copyLoopCarriedRequired(Op*, InIndex) const {
    emulator::missing("popart::liveness::AliasZeroCopy::copyLoopCarriedRequired");
  }
  bool copyModifiedRequired(Op*, InIndex) const {
    emulator::missing("popart::liveness::AliasZeroCopy::copyModifiedRequired");
  }
  bool copyOutputRequired(Op*, OutIndex) const {
    emulator::missing("popart::liveness::AliasZeroCopy::copyOutputRequired");
  }
  void printLivenessIntervals(std::set<Tensor*, PTensorCmp>, ProducerInterval) {
    emulator::missing("popart::liveness::AliasZeroCopy::printLivenessIntervals");
  }
  Intervals getLivenessIntervals(Tensor*, ProducerInterval) {
    emulator::missing("popart::liveness::AliasZeroCopy::getLivenessIntervals");
  }
  Intervals getCandidateLivenessIntervals(Tensor*, ProducerInterval = ProducerInterval::Enforce,
                                          bool = false) {
    emulator::missing("popart::liveness::AliasZeroCopy::getCandidateLivenessIntervals");
  }
};

}  // namespace liveness
}  // namespace popart

#endif  // popart_aliaszerocopy_hpp
