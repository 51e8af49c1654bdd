#ifndef popart_scheduler_hpp
#define popart_scheduler_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Op;
enum class RequireOptimalSchedule;

class Scheduler {
 public:
  Scheduler() { emulator::missing("popart::Scheduler"); }
  std::vector<Op*> getSchedule(const OpsBeforeKey&, const Graph&, const RequireOptimalSchedule,
                               bool, double, int64_t, const std::string&) {
    emulator::missing("popart::Scheduler::getSchedule");
  }
  void finalizeSchedule(const OpsBeforeKey&, const Graph&, const RequireOptimalSchedule, bool,
                        double, int64_t, const std::string&) {
    emulator::missing("popart::Scheduler::finalizeSchedule");
  }
  bool isSchedulable(const OpsBeforeKey&, const Graph&, bool) const {
    emulator::missing("popart::Scheduler::isSchedulable");
  }
  bool isFinalized() const { emulator::missing("popart::Scheduler::isFinalized"); }
};

}  // namespace popart

#endif  // popart_scheduler_hpp
