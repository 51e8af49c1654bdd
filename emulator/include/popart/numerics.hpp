#ifndef popart_numerics_hpp
#define popart_numerics_hpp

#include <cmath>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <sstream>
#include <string>

namespace popart {
namespace numerics {

class NumericsReport {
 public:
  NumericsReport(std::string, std::string, std::string, std::string) {
    emulator::missing("popart::numerics::NumericsReport");
  }
  std::string report(TensorId) const {
    emulator::missing("popart::numerics::NumericsReport::report");
  }
  std::string fullReport() const {
    emulator::missing("popart::numerics::NumericsReport::fullReport");
  }
  std::map<TensorId, float> getRelativeErrors() {
    emulator::missing("popart::numerics::NumericsReport::getRelativeErrors");
  }
};

template <class T>
class NumericsTracker {
 public:
  void insert(T, T, T, T) { emulator::missing("popart::numerics::NumericsTracker::insert"); }
  std::string str() { emulator::missing("popart::numerics::NumericsTracker::str"); }
  T getRelativeError() { emulator::missing("popart::numerics::NumericsTracker::getRelativeError"); }
};

}  // namespace numerics
}  // namespace popart

#endif  // popart_numerics_hpp
