// The modelled cost of a network on its device.
#include <pybind11/pybind11.h>

#include <poplar/Target.hpp>
#include <string>

#include "popsnn/runner.hpp"
#include "profile.hpp"

namespace py = pybind11;

void register_snn_profile(py::module_& module) {
  using popsnn::Runner;
  py::reinterpret_borrow<py::class_<Runner>>(module.attr("Runner"))
      .def(
          "profile", [](Runner& runner) { return profile_dict(runner.engine()); },
          "The modelled memory, and the cycles of all runs since the last reset.")
      .def("reset_profile", [](Runner& runner) { runner.engine().resetExecutionProfile(); })
      .def_property_readonly("bytes_per_tile",
                             [](Runner& runner) { return runner.engine().getBytesPerTile(); });
  module.def(
      "tile_clock",
      [](unsigned ipus, const std::string& model) {
        return poplar::Target::createIPUTarget(ipus, model).getTileClockFrequency();
      },
      py::arg("ipus"), py::arg("model"), "Hz, of a tile.");
}
