// popsnn._core: the emulated Poplar API (for tests and tools), the IPU engine, lists of events.
#include <pybind11/pybind11.h>

#include "interrupt.hpp"

void register_event_lists(pybind11::module_& module);
void register_poplar(pybind11::module_& module);
void register_snn(pybind11::module_& module);
void register_snn_profile(pybind11::module_& module);

PYBIND11_MODULE(_core, module) {
  module.doc() = "Native part of popsnn: the emulated Poplar API, the IPU engine, lists of events.";
  watch_signals();
  register_event_lists(module);
  register_poplar(module);
  register_snn(module);
  register_snn_profile(module);
}
