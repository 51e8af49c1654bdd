// popsnn._core: the emulated Poplar API (for tests and tools) and the IPU engine.
#include <pybind11/pybind11.h>

void register_poplar(pybind11::module_& module);
void register_snn(pybind11::module_& module);
void register_snn_profile(pybind11::module_& module);

PYBIND11_MODULE(_core, module) {
  module.doc() = "Native part of popsnn: the emulated Poplar API and the IPU engine.";
  register_poplar(module);
  register_snn(module);
  register_snn_profile(module);
}
