#ifndef popart_variablesettings_hpp
#define popart_variablesettings_hpp

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <popart/commgroup.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/replicagrouping.hpp>
#include <popart/util/expressionchecking.hpp>
#include <vector>

namespace popart {

enum class VariableRetrievalMode { OnePerGroup = 0, AllReduceReplicas, AllReplicas };

class VariableSettings {
 public:
  void verify() { emulator::missing("popart::VariableSettings::verify"); }
  const CommGroup getSharedVariableDomain() const {
    emulator::missing("popart::VariableSettings::getSharedVariableDomain");
  }
  ReplicaGrouping getReplicaGrouping(unsigned int) const {
    emulator::missing("popart::VariableSettings::getReplicaGrouping");
  }
  bool isUsingCommGroup() const { emulator::missing("popart::VariableSettings::isUsingCommGroup"); }
  CommGroupType getCommGroupType() const {
    emulator::missing("popart::VariableSettings::getCommGroupType");
  }
  unsigned int getStride() const { emulator::missing("popart::VariableSettings::getStride"); }
  unsigned int getGroupSize() const { emulator::missing("popart::VariableSettings::getGroupSize"); }
  VariableRetrievalMode getRetrievalMode() const {
    emulator::missing("popart::VariableSettings::getRetrievalMode");
  }
  VariableSettings() { emulator::missing("popart::VariableSettings"); }
  VariableSettings(CommGroup) { emulator::missing("popart::VariableSettings"); }
  VariableSettings(VariableRetrievalMode) { emulator::missing("popart::VariableSettings"); }
  VariableSettings(CommGroup, VariableRetrievalMode) {
    emulator::missing("popart::VariableSettings");
  }
  VariableSettings(unsigned int, unsigned int) { emulator::missing("popart::VariableSettings"); }
  VariableSettings(unsigned int, unsigned int, VariableRetrievalMode) {
    emulator::missing("popart::VariableSettings");
  }
  unsigned int numReplicasReturningVariable(unsigned int) const {
    emulator::missing("popart::VariableSettings::numReplicasReturningVariable");
  }
  unsigned int getGroupCount(unsigned int) const {
    emulator::missing("popart::VariableSettings::getGroupCount");
  }
  unsigned int getStride(unsigned int) const {
    emulator::missing("popart::VariableSettings::getStride");
  }
  unsigned int getRealGroupSize(unsigned int) const {
    emulator::missing("popart::VariableSettings::getRealGroupSize");
  }
  unsigned int getGroupRepresentative(unsigned int) const {
    emulator::missing("popart::VariableSettings::getGroupRepresentative");
  }
  Shape shapeOnReplica(Shape, unsigned int, const TensorId) const {
    emulator::missing("popart::VariableSettings::shapeOnReplica");
  }
  Shape shapeOnHost(Shape, unsigned int) const {
    emulator::missing("popart::VariableSettings::shapeOnHost");
  }
  std::vector<std::vector<std::int64_t>> groups(unsigned int) const {
    emulator::missing("popart::VariableSettings::groups");
  }
  bool operator==(const VariableSettings&) const {
    emulator::missing("popart::VariableSettings::operator==");
  }
  bool operator!=(const VariableSettings&) const {
    emulator::missing("popart::VariableSettings::operator!=");
  }
};

inline std::ostream& operator<<(std::ostream&, const VariableRetrievalMode&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const VariableSettings&) {
  emulator::missing("popart::operator<<");
}

}  // namespace popart

#endif  // popart_variablesettings_hpp
