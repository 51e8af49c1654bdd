#ifndef popart_transforms_mergevarupdates_hpp
#define popart_transforms_mergevarupdates_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace popart {

class VarUpdateOp;
class Graph;
class Op;
struct VarUpdateStartEnd {
  using Start = int64_t;
  using End = int64_t;
  VarUpdateStartEnd(VarUpdateOp*, Start, End) { emulator::missing("popart::VarUpdateStartEnd"); }
  VarUpdateOp* vop;
  Start start;
  End end;
  bool operator<(const VarUpdateStartEnd&) const {
    emulator::missing("popart::VarUpdateStartEnd::operator<");
  }
};

class MergeVarUpdates : public Transform {
 public:
  using PartitionId = std::string;
  PartitionId getPartitionId(Op*) const {
    emulator::missing("popart::MergeVarUpdates::getPartitionId");
  }
  using PartitionMap = std::map<PartitionId, std::vector<VarUpdateStartEnd>>;
  bool apply(Graph&) const override { emulator::missing("popart::MergeVarUpdates::apply"); }
  PartitionMap getLargestGroupTargetsMap(const Graph&) const {
    emulator::missing("popart::MergeVarUpdates::getLargestGroupTargetsMap");
  }

 private:
  virtual PartitionMap getFinal(const Graph&) const = 0;
};

class MergeAllVarUpdates : public MergeVarUpdates {
 public:
  static std::size_t id() { emulator::missing("popart::MergeAllVarUpdates::id"); }
  MergeAllVarUpdates() = default;
  std::size_t getId() const override { emulator::missing("popart::MergeAllVarUpdates::getId"); }
  std::string getName() const override { return "MergeAllVarUpdates"; }

 private:
  PartitionMap getFinal(const Graph&) const override {
    emulator::missing("popart::MergeAllVarUpdates::getFinal");
  }
};

class MergeAuto : public MergeVarUpdates {
 public:
  int64_t getThresholdMemory(const Graph&) const {
    emulator::missing("popart::MergeAuto::getThresholdMemory");
  }
};

class MergeTightThreshold : public MergeAuto {
 public:
  static std::size_t id() { emulator::missing("popart::MergeTightThreshold::id"); }
  MergeTightThreshold() = default;
  std::size_t getId() const override { emulator::missing("popart::MergeTightThreshold::getId"); }
  std::string getName() const override { return "MergeTightThreshold"; }

 private:
  PartitionMap getFinal(const Graph&) const override {
    emulator::missing("popart::MergeTightThreshold::getFinal");
  }
};

class MergeLooseThreshold : public MergeAuto {
 public:
  static std::size_t id() { emulator::missing("popart::MergeLooseThreshold::id"); }
  MergeLooseThreshold() = default;
  std::size_t getId() const override { emulator::missing("popart::MergeLooseThreshold::getId"); }
  std::string getName() const override { return "MergeLooseThreshold"; }
  int64_t getMemToPlayWithAtPeak(const Graph&) const {
    emulator::missing("popart::MergeLooseThreshold::getMemToPlayWithAtPeak");
  }

 private:
  PartitionMap getFinal(const Graph&) const override {
    emulator::missing("popart::MergeLooseThreshold::getFinal");
  }
};

}  // namespace popart

#endif  // popart_transforms_mergevarupdates_hpp
