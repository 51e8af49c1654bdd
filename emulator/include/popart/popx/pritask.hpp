#ifndef popart_popx_pritask_hpp
#define popart_popx_pritask_hpp

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/taskid.hpp>
#include <poplar/Program.hpp>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace popart {

class SequenceMap {
 public:
  using Sequence = poplar::program::Sequence;
  using Sequences = std::vector<Sequence>;
  using SequenceIterator = typename std::vector<Sequence>::iterator;
  using SequenceInterval = typename std::pair<SequenceIterator, SequenceIterator>;
  void addSingleSequence(Sequence&) { emulator::missing("popart::SequenceMap::addSingleSequence"); }
  void addScopeFragments(Sequences&) {
    emulator::missing("popart::SequenceMap::addScopeFragments");
  }
  Sequence& getSequence(Sequence*) { emulator::missing("popart::SequenceMap::getSequence"); }
  SequenceInterval operator[](Sequence*) { emulator::missing("popart::SequenceMap::operator[]"); }
  std::map<Sequence*, Sequence*> getFullSequenceMap() {
    emulator::missing("popart::SequenceMap::getFullSequenceMap");
  }
};

enum class DependencyType { Output = 0, Tensor, Scheduler, SubGraph };

class PriTaskDependency {
 public:
  PriTaskDependency(TaskId, DependencyType) { emulator::missing("popart::PriTaskDependency"); }
  PriTaskDependency(std::set<TaskId>, DependencyType) {
    emulator::missing("popart::PriTaskDependency");
  }
  DependencyType getType() const { emulator::missing("popart::PriTaskDependency::getType"); }
  bool satisfiedBy(TaskId) const { emulator::missing("popart::PriTaskDependency::satisfiedBy"); }
  const std::set<TaskId>& getTaskIds() const {
    emulator::missing("popart::PriTaskDependency::getTaskIds");
  }
  bool operator==(const PriTaskDependency&) const {
    emulator::missing("popart::PriTaskDependency::operator==");
  }
};

inline std::ostream& operator<<(std::ostream&, const DependencyType&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const PriTaskDependency&) {
  emulator::missing("popart::operator<<");
}

class PriTask {
 public:
  double priority;
  TaskId name;
  std::vector<PriTaskDependency> dependsOn;
  std::function<SequenceMap()> f;
  PriTask() : PriTask(0, emulator::absent<TaskId>("popart::PriTask"), {}, {}) {}
  PriTask(double, TaskId, const std::vector<PriTaskDependency>&,
          const std::function<SequenceMap()>&) {
    emulator::missing("popart::PriTask");
  }
  bool removeDep(const TaskId&) { emulator::missing("popart::PriTask::removeDep"); }
  bool removeDep(DependencyType) { emulator::missing("popart::PriTask::removeDep"); }
  std::set<TaskId> getDependenciesOfTypes(std::set<DependencyType>) {
    emulator::missing("popart::PriTask::getDependenciesOfTypes");
  }
};

inline bool operator<(const PriTask&, const PriTask&) { emulator::missing("popart::operator<"); }

namespace popx {

class IrLowering;

}

class PriTasks {
 public:
  std::unordered_map<TaskId, PriTask> tasksMap;
  void add(const PriTask&) { emulator::missing("popart::PriTasks::add"); }
  bool contains(const TaskId&) { emulator::missing("popart::PriTasks::contains"); }
  std::vector<PriTask> getLinearised(std::set<DependencyType>, popx::IrLowering&, bool = false) {
    emulator::missing("popart::PriTasks::getLinearised");
  }
  PriTasks() = default;
};

}  // namespace popart

#endif  // popart_popx_pritask_hpp
