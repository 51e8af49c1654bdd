#ifndef popart_stepio_size_assertion_hpp
#define popart_stepio_size_assertion_hpp

#include <cstdint>
#include <popart/dataflow.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/ir.hpp>
#include <popart/popx/executablex.hpp>
#include <popart/sessionoptions.hpp>
#include <popart/tensor.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/tensorinfo.hpp>
#include <string>
#include <vector>

namespace popart {
namespace iosizecheck {

class CorrectnessAsserter {
 public:
  CorrectnessAsserter(const popx::Executablex&) {
    emulator::missing("popart::iosizecheck::CorrectnessAsserter");
  }
  template <class M, class G>
  void checkIn(const M&, const G&) const {
    emulator::missing("popart::iosizecheck::CorrectnessAsserter::checkIn");
  }
  template <class M, class G>
  void checkOut(const M&, const G&) const {
    emulator::missing("popart::iosizecheck::CorrectnessAsserter::checkOut");
  }
};

template <class M, class G>
void assertInCorrect(const popx::Executablex&, const M&, const G&) {
  emulator::missing("popart::iosizecheck::assertInCorrect");
}

template <class M, class G>
void assertOutCorrect(const popx::Executablex&, const M&, const G&) {
  emulator::missing("popart::iosizecheck::assertOutCorrect");
}

}  // namespace iosizecheck
}  // namespace popart

#endif  // popart_stepio_size_assertion_hpp
