// The emulator's own: how a run ends before its time. The SDK has no such header.
#ifndef poplar_emulator_Interrupt_hpp
#define poplar_emulator_Interrupt_hpp

namespace poplar {
namespace emulator {

/// Sets what Engine::run calls on its thread about ten times a second, between instructions and
/// between vertices; what it throws ends the run. At first there is none (`nullptr`).
///
/// For a program whose handler of SIGINT only sets a flag, as Python's does: the check reads the
/// flag. Where a vertex does not end there is no check, so while a check is set a run also handles
/// SIGINT: a second one, at least a second after a first that no check has seen, names the compute
/// set on standard error and ends the process.
void setInterruptCheck(void (*check)());

}  // namespace emulator
}  // namespace poplar

#endif  // poplar_emulator_Interrupt_hpp
