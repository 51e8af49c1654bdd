// popsnn._emulator: what of the IPU engine the emulated Poplar alone has.
#include <pybind11/pybind11.h>

#include <poplar/Target.hpp>
#include <string>

#include "interrupt.hpp"
#include "popsnn/runner.hpp"
#include "profile.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_emulator, module) {
  using popsnn::Runner;
  module.doc() = "Modelled costs of networks on the emulated IPU, and signals that end its runs.";
  watch_signals();
  const py::module_ core = py::module_::import("popsnn._core");
  py::reinterpret_borrow<py::class_<Runner>>(core.attr("Runner"))
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
