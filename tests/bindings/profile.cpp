// Estimates and profiles of the emulated device.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <sstream>

#include "profile.hpp"

namespace py = pybind11;

namespace {

using namespace poplar;

std::string summary(const Engine& engine, const std::map<std::string, std::string>& options) {
  OptionFlags flags;
  for (const auto& o : options) flags.set(o.first, o.second);
  std::ostringstream out;
  engine.printProfileSummary(out, flags);
  return out.str();
}

bool isFloating(const FieldInfo& f) { return f.getType() == FLOAT || f.getType() == HALF; }

std::vector<size_t> rowSizes(const FieldInfo& field) {
  std::vector<size_t> out;
  for (size_t i = 0; i < field.size(); ++i) out.push_back(field[i].size());
  return out;
}

}  // namespace

void register_profile(py::module_& m) {
  py::class_<VertexIntrospector>(m, "VertexIntrospector", "A vertex, as its estimator sees it.")
      .def("size", [](const VertexIntrospector& v,
                      const std::string& field) { return v.getFieldInfo(field).size(); })
      .def("row_sizes", [](const VertexIntrospector& v,
                           const std::string& field) { return rowSizes(v.getFieldInfo(field)); })
      .def("value",
           [](const VertexIntrospector& v, const std::string& field) {
             const FieldInfo f = v.getFieldInfo(field);
             return isFloating(f) ? py::cast(f.getInitialValue<float>(Target()))
                                  : py::cast(f.getInitialValue<long long>(Target()));
           })
      .def("values", [](const VertexIntrospector& v, const std::string& field) {
        const FieldInfo f = v.getFieldInfo(field);
        return isFloating(f) ? py::cast(f.getInitialValues<float>(Target()))
                             : py::cast(f.getInitialValues<long long>(Target()));
      });
  m.def(
      "cycle_count",
      [](Graph& g, program::Sequence& prog, unsigned tile) {
        return cycleCount(g, prog, tile, SyncType::INTERNAL);
      },
      py::arg("graph"), py::arg("program"), py::arg("tile"));
  m.def(
      "cycle_stamp",
      [](Graph& g, program::Sequence& prog, unsigned tile) {
        return cycleStamp(g, prog, tile, SyncType::INTERNAL);
      },
      py::arg("graph"), py::arg("program"), py::arg("tile"));
  py::reinterpret_borrow<py::class_<Graph>>(m.attr("Graph"))
      .def(
          "register_perf_estimator",
          [](Graph& g, const std::string& type,
             const std::function<std::uint64_t(const VertexIntrospector&, const Target&)>& f) {
            g.registerPerfEstimator(type, [f](const VertexIntrospector& v, const Target& target) {
              return VertexPerfEstimate(f(v, target));
            });
          },
          py::arg("type"), py::arg("estimator"));
  py::reinterpret_borrow<py::class_<Engine>>(m.attr("Engine"))
      .def("profile", &profile_dict, "The modelled memory and cycles, of all runs that counted.")
      .def("profile_summary", &summary, py::arg("options") = std::map<std::string, std::string>())
      .def("enable_execution_profiling", &Engine::enableExecutionProfiling)
      .def("disable_execution_profiling", &Engine::disableExecutionProfiling)
      .def("reset_execution_profile", &Engine::resetExecutionProfile);
}
