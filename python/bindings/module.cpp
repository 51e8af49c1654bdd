// popsnn._core: the IPU engine and lists of events, on the Poplar API that every SDK has.
#include <pybind11/pybind11.h>

void register_event_lists(pybind11::module_& module);
void register_snn(pybind11::module_& module);

PYBIND11_MODULE(_core, module) {
  module.doc() = "Native part of popsnn: the IPU engine and lists of events.";
  register_event_lists(module);
  register_snn(module);
}
