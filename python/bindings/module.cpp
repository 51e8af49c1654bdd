// popsnn._core: the IPU engine and lists of events.
#include <pybind11/pybind11.h>

#include "interrupt.hpp"

void register_event_lists(pybind11::module_& module);
void register_snn(pybind11::module_& module);
void register_snn_profile(pybind11::module_& module);

PYBIND11_MODULE(_core, module) {
  module.doc() = "Native part of popsnn: the IPU engine and lists of events.";
  watch_signals();
  register_event_lists(module);
  register_snn(module);
  register_snn_profile(module);
}
