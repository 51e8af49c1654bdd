#ifndef popart_transforms_autodiff_calledgraphgradophelper_hpp
#define popart_transforms_autodiff_calledgraphgradophelper_hpp

#include <functional>
#include <map>
#include <popart/bwdgraphinfo.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

class GradInOutMapper;
class Graph;
class Op;
class CalledGraphGradOpHelper {
 public:
  CalledGraphGradOpHelper(Op*) { emulator::missing("popart::CalledGraphGradOpHelper"); }
  virtual ~CalledGraphGradOpHelper() = default;
  virtual void setCalledSubgraphGradInfo(const FwdGraphToBwdGraphInfo&) {
    emulator::missing("popart::CalledGraphGradOpHelper::setCalledSubgraphGradInfo");
  }
  virtual const FwdGraphToBwdGraphInfo& getCalledSubgraphGradInfo() const {
    emulator::missing("popart::CalledGraphGradOpHelper::getCalledSubgraphGradInfo");
  }
  virtual Graph& getBwdGraph(SubgraphIndex) {
    emulator::missing("popart::CalledGraphGradOpHelper::getBwdGraph");
  }
  virtual const BwdGraphInfo& getBwdGraphInfo(SubgraphIndex) {
    emulator::missing("popart::CalledGraphGradOpHelper::getBwdGraphInfo");
  }
  virtual std::vector<GradInOutMapper> getCalledGraphGradInInfo(
      SubgraphIndex, const std::function<InIndex(InIndex)>&) {
    emulator::missing("popart::CalledGraphGradOpHelper::getCalledGraphGradInInfo");
  }
  virtual const std::map<int, int> getCalledGraphGradOutToNonGradIn(
      SubgraphIndex, const std::function<OutIndex(OutIndex)>&) {
    emulator::missing("popart::CalledGraphGradOpHelper::getCalledGraphGradOutToNonGradIn");
  }

 protected:
  void throwExceptionIfInfoUnavailable() const {
    emulator::missing("popart::CalledGraphGradOpHelper::throwExceptionIfInfoUnavailable");
  }
  Op* op;
  nonstd::optional<FwdGraphToBwdGraphInfo> calledGraphsGradInfo;
};

}  // namespace popart

#endif  // popart_transforms_autodiff_calledgraphgradophelper_hpp
