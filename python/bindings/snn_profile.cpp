// The modelled cost of a network on its device, and of training steps apart from all else.
#include <pybind11/pybind11.h>

#include "popsnn/runner.hpp"

namespace py = pybind11;

void register_snn_profile(py::module_& module) {
  using popsnn::Runner;
  py::reinterpret_borrow<py::class_<Runner>>(module.attr("Runner"))
      .def_property_readonly("engine", &Runner::engine, py::return_value_policy::reference_internal,
                             "The Engine, whose profile is of all runs since its last reset.");
}
