#ifndef popart_alias_aliasmodelgrower_hpp
#define popart_alias_aliasmodelgrower_hpp

#include <functional>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

class AliasModel;
class Graph;
enum class DataDependenciesOnly { Yes, No };

class AliasModelGrower {
 public:
  AliasModelGrower(AliasModel&) { emulator::missing("popart::AliasModelGrower"); }
  AliasModel& getAliasModelRef() {
    emulator::missing("popart::AliasModelGrower::getAliasModelRef");
  }
  std::unique_ptr<AliasModel> getAliasModel() {
    emulator::missing("popart::AliasModelGrower::getAliasModel");
  }
  void setAliasModel(std::unique_ptr<AliasModel>) {
    emulator::missing("popart::AliasModelGrower::setAliasModel");
  }
  void growFullGraph(const Graph&, DataDependenciesOnly) {
    emulator::missing("popart::AliasModelGrower::growFullGraph");
  }
  void growPartialGraph(const Graph&, const TensorId&, DataDependenciesOnly) {
    emulator::missing("popart::AliasModelGrower::growPartialGraph");
  }
  bool containsAmbiguity() const {
    emulator::missing("popart::AliasModelGrower::containsAmbiguity");
  }
  std::string ambiguitySummary(const Graph&, AliasModel&) const {
    emulator::missing("popart::AliasModelGrower::ambiguitySummary");
  }

 private:
  enum class AllowInsertingProducedTensors { Yes = 0, No };
};

}  // namespace popart

#endif  // popart_alias_aliasmodelgrower_hpp
