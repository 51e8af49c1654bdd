// popsnn._core.poplar: the emulated Poplar host API, as thin as it can be.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

namespace py = pybind11;

using namespace poplar;

void register_poplar_exceptions(py::module_& m);
void register_poplar_devices(py::module_& m);
void register_poplar_tensor(py::module_& m);
void register_poplar_graph(py::module_& m);
void register_poplar_programs(py::module_& m);
void register_poplar_engine(py::module_& m);
void register_poplar_profile(py::module_& m);

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

void register_poplar(py::module_& module) {
  py::module_ m = module.def_submodule("poplar", "The emulated Poplar host API.");
  register_poplar_exceptions(m);
  register_poplar_devices(m);
  register_poplar_tensor(m);
  register_poplar_graph(m);
  register_poplar_programs(m);
  register_poplar_engine(m);
  registerLibraries(m);
  register_poplar_profile(m);
}
