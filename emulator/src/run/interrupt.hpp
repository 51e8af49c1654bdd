// Interruption of a run: see poplar/emulator/Interrupt.hpp.
#pragma once

namespace poplar {
namespace emulator {

// Whether a check is set; then SIGINT is handled from now on, unless it has its default action or
// is ignored.
bool handleInterrupts();

// Calls the check.
void checkInterrupt();

// Within the scope the calling run executes vertices of what `text` names.
class Executing {
 public:
  explicit Executing(const char* text);
  ~Executing();
  Executing(const Executing&) = delete;
  Executing& operator=(const Executing&) = delete;
};

}  // namespace emulator
}  // namespace poplar
