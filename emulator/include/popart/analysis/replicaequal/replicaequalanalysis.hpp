#ifndef popart_analysis_replicaequal_replicaequalanalysis_hpp
#define popart_analysis_replicaequal_replicaequalanalysis_hpp

#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <string>

namespace popart {

class Op;
class AliasModel;
class Ir;
class any;
class ReplicaEqualAnalysis {
 public:
  ReplicaEqualAnalysis(const Ir&) { emulator::missing("popart::ReplicaEqualAnalysis"); }
  ReplicaEqualAnalysis(const Ir&, AliasModel&) {
    emulator::missing("popart::ReplicaEqualAnalysis");
  }
  virtual ~ReplicaEqualAnalysis() = default;
  virtual void apply() { emulator::missing("popart::ReplicaEqualAnalysis::apply"); }
  virtual IsReplicaEqual isOpInputEqual(const Op*, InIndex) const {
    emulator::missing("popart::ReplicaEqualAnalysis::isOpInputEqual");
  }
  virtual IsReplicaEqual isOpOutputEqual(const Op*, OutIndex) const {
    emulator::missing("popart::ReplicaEqualAnalysis::isOpOutputEqual");
  }
  virtual std::map<std::string, popart::any> getOpAttrs(const Op*) const {
    emulator::missing("popart::ReplicaEqualAnalysis::getOpAttrs");
  }
};

}  // namespace popart

#endif  // popart_analysis_replicaequal_replicaequalanalysis_hpp
