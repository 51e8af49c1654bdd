// popsnn_test_poplar: the emulated Poplar host API for the tests, as thin as it can be.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "interrupt.hpp"

namespace py = pybind11;

using namespace poplar;

void register_exceptions(py::module_& m);
void register_devices(py::module_& m);
void register_tensor(py::module_& m);
void register_graph(py::module_& m);
void register_programs(py::module_& m);
void register_engine(py::module_& m);
void register_profile(py::module_& m);

namespace {

void registerLibraries(py::module_& m) {
  m.def("map_tensor_linearly", [](Graph& g, const Tensor& t) { poputil::mapTensorLinearly(g, t); });
  m.def("map_tensor_linearly", [](Graph& g, const Tensor& t, unsigned least, unsigned grain) {
    poputil::mapTensorLinearly(g, t, least, grain);
  });
  m.def("popops_add_codelets", &popops::addCodelets);
  m.def("zero",
        [](Graph& g, const Tensor& t, program::Sequence& prog) { popops::zero(g, t, prog); });
  m.def("fill", [](Graph& g, const Tensor& t, program::Sequence& prog, float value) {
    popops::fill(g, t, prog, value);
  });
}

}  // namespace

PYBIND11_MODULE(popsnn_test_poplar, m) {
  m.doc() = "The emulated Poplar host API.";
  watch_signals();
  register_exceptions(m);
  register_devices(m);
  register_tensor(m);
  register_graph(m);
  register_programs(m);
  register_engine(m);
  registerLibraries(m);
  register_profile(m);
}
