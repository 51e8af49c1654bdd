#ifndef popart_subgraphcopyingstrategy_hpp
#define popart_subgraphcopyingstrategy_hpp

#include <cstddef>
#include <deque>
#include <map>
#include <popart/alias/aliasmodel.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/liveness.hpp>
#include <popart/tensordebuginfo.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Ir;

namespace liveness {

class SubgraphCopyingStrategy {
 public:
  SubgraphCopyingStrategy() { emulator::missing("popart::liveness::SubgraphCopyingStrategy"); }
  virtual ~SubgraphCopyingStrategy() = default;
  virtual void setIr(const Ir*) {
    emulator::missing("popart::liveness::SubgraphCopyingStrategy::setIr");
  }
  virtual void setLivenessAnalyzer(const LivenessAnalyzer*) {
    emulator::missing("popart::liveness::SubgraphCopyingStrategy::setLivenessAnalyzer");
  }
  virtual void apply() { emulator::missing("popart::liveness::SubgraphCopyingStrategy::apply"); }
  virtual std::vector<size_t> getIndicesOfCopiesToInsertBeforeNode(
      const LivenessNode&, const LivenessAnalyzer::PendingCopies&) const = 0;
  virtual std::vector<size_t> getIndicesOfCopiesToInsertAfterNode(
      const LivenessNode&, const LivenessAnalyzer::PendingCopies&) const = 0;

 protected:
  const Ir* ir;
  const LivenessAnalyzer* liveness;
};

class OnEnterAndExitSubgraphCopyingStrategy : public SubgraphCopyingStrategy {
 public:
  OnEnterAndExitSubgraphCopyingStrategy() {
    emulator::missing("popart::liveness::OnEnterAndExitSubgraphCopyingStrategy");
  }
  std::vector<size_t> getIndicesOfCopiesToInsertBeforeNode(
      const LivenessNode&, const LivenessAnalyzer::PendingCopies&) const override {
    emulator::missing(
        "popart::liveness::OnEnterAndExitSubgraphCopyingStrategy::"
        "getIndicesOfCopiesToInsertBeforeNode");
  }
  std::vector<size_t> getIndicesOfCopiesToInsertAfterNode(
      const LivenessNode&, const LivenessAnalyzer::PendingCopies&) const override {
    emulator::missing(
        "popart::liveness::OnEnterAndExitSubgraphCopyingStrategy::"
        "getIndicesOfCopiesToInsertAfterNode");
  }
};

class JustInTimeSubgraphCopyingStrategy : public SubgraphCopyingStrategy {
 public:
  JustInTimeSubgraphCopyingStrategy() {
    emulator::missing("popart::liveness::JustInTimeSubgraphCopyingStrategy");
  }
  std::vector<size_t> getIndicesOfCopiesToInsertBeforeNode(
      const LivenessNode&, const LivenessAnalyzer::PendingCopies&) const override {
    emulator::missing(
        "popart::liveness::JustInTimeSubgraphCopyingStrategy::"
        "getIndicesOfCopiesToInsertBeforeNode");
  }
  std::vector<size_t> getIndicesOfCopiesToInsertAfterNode(
      const LivenessNode&, const LivenessAnalyzer::PendingCopies&) const override {
    emulator::missing(
        "popart::liveness::JustInTimeSubgraphCopyingStrategy::getIndicesOfCopiesToInsertAfterNode");
  }

 private:
  enum class TensorPosition { Consuming = 0, Producing };
  enum class FilterSetting { Include = 0, Ignore };
};

}  // namespace liveness
}  // namespace popart

#endif  // popart_subgraphcopyingstrategy_hpp
