#ifndef popart_analysis_replicaequal_replicaequalanalysisproxy_hpp
#define popart_analysis_replicaequal_replicaequalanalysisproxy_hpp

#include <popart/names.hpp>
#include <tuple>

namespace popart {

class Op;
class Graph;
class ReplicaEqualAnalysisProxy {
 public:
  virtual ReplEqModifiedInputMap getModifiedInputMapFromAliases(const Op*,
                                                                const ReplEqOutputMap&) const = 0;
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap>
  fwdPropagateIsReplicaEqualThroughGraph(const Graph*, const ReplEqInputMap&) = 0;
  virtual ~ReplicaEqualAnalysisProxy() = default;
};

}  // namespace popart

#endif  // popart_analysis_replicaequal_replicaequalanalysisproxy_hpp
