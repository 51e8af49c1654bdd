// Graphs: variables, vertices, streams.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/Graph.hpp>
#include <string>
#include <vector>

#include "intervals.hpp"

namespace py = pybind11;

using namespace poplar;

namespace {

using Shape = std::vector<size_t>;

// NumPy copies what is not contiguous, or not where its type can be read.
template <class T>
using Aligned = py::array_t<T, py::array::c_style | py::array::forcecast |
                                   py::detail::npy_api::NPY_ARRAY_ALIGNED_>;

// Hands fn a pointer to the elements of `values`, as long long where they are integral, else as
// double: the API converts to the destination's type.
template <class Fn>
void withValues(const py::object& values, Fn&& fn) {
  const py::array any = py::array::ensure(values);
  if (!any) throw py::type_error("expected numbers or an array of them");
  const char kind = any.dtype().kind();
  if (kind == 'f') {
    const Aligned<double> a(any);
    fn(a.data(), static_cast<size_t>(a.size()), a.ndim() == 0);
  } else if (kind == 'u') {
    const Aligned<unsigned long long> a(any);
    fn(a.data(), static_cast<size_t>(a.size()), a.ndim() == 0);
  } else {
    const Aligned<long long> a(any);
    fn(a.data(), static_cast<size_t>(a.size()), a.ndim() == 0);
  }
}

template <class Target>
void setInitialValue(Graph& g, const Target& target, const py::object& values) {
  withValues(values, [&](const auto* data, size_t n, bool scalar) {
    using T = std::decay_t<decltype(*data)>;
    if (scalar) {
      g.setInitialValue(target, *data);
    } else {
      g.setInitialValue(target, ArrayRef<T>(data, n));
    }
  });
}

Tensor addConstant(Graph& g, const Type& type, const Shape& shape, const py::object& values,
                   const std::string& name) {
  Tensor out;
  withValues(values, [&](const auto* data, size_t n, bool scalar) {
    using T = std::decay_t<decltype(*data)>;
    out = scalar ? g.addConstant(type, shape, *data, name)
                 : g.addConstant(type, shape, ArrayRef<T>(data, n), name);
  });
  return out;
}

void connect(Graph& g, FieldRef field, const py::object& what) {
  if (py::isinstance<Tensor>(what)) {
    g.connect(field, what.cast<Tensor>());
  } else if (py::isinstance<py::sequence>(what)) {
    g.connect(field, ArrayRef<Tensor>(what.cast<std::vector<Tensor>>()));
  } else {
    withValues(what, [&](const auto* data, size_t, bool) { g.connect(field, *data); });
  }
}

}  // namespace

void register_graph(py::module_& m) {
  py::class_<ComputeSet>(m, "ComputeSet", "Vertices that run in one superstep.");
  py::class_<FieldRef>(m, "FieldRef", "A field of a vertex.")
      .def("__getitem__", &FieldRef::operator[], py::keep_alive<0, 1>());
  py::class_<VertexRef>(m, "VertexRef", "A vertex of a graph.")
      .def(
          "__getitem__", [](const VertexRef& v, const std::string& name) { return v[name]; },
          py::keep_alive<0, 1>());
  py::class_<Function>(m, "Function", "A program that may be called.");
  py::class_<DataStream>(m, "DataStream", "One end of a FIFO between host and device.")
      .def_property_readonly("handle", &DataStream::handle)
      .def_property_readonly("element_type", &DataStream::elementType)
      .def_property_readonly("num_elements", &DataStream::numElements);
  py::class_<Graph>(m, "Graph", "Builds a computation.")
      .def(py::init<const Target&>())
      .def_property_readonly("target", &Graph::getTarget)
      .def("create_virtual_graph",
           [](Graph& g, unsigned lower, unsigned upper) {
             return g.createVirtualGraph(lower, upper);
           })
      .def("create_virtual_graph",
           [](Graph& g, const std::vector<unsigned>& tiles) {
             return g.createVirtualGraph(ArrayRef<unsigned>(tiles));
           })
      .def("create_virtual_graph",
           [](Graph& g, unsigned tiles) { return g.createVirtualGraph(tiles); })
      .def(
          "add_codelets",
          [](Graph& g, const std::vector<std::string>& paths, const std::string& flags) {
            return g.addCodelets(ArrayRef<std::string>(paths), flags);
          },
          py::arg("paths"), py::arg("flags") = "")
      .def(
          "add_codelets",
          [](Graph& g, const std::string& path, const std::string& flags) {
            return g.addCodelets(path, CodeletFileType::Auto, flags);
          },
          py::arg("path"), py::arg("flags") = "")
      .def(
          "add_codelet_text",
          [](Graph& g, const std::string& text, const std::string& flags) {
            std::stringstream stream(text);
            g.addCodelets(stream, flags);
          },
          py::arg("text"), py::arg("flags") = "")
      .def("has_codelet", [](const Graph& g, const std::string& n) { return g.hasCodelet(n); })
      .def(
          "add_variable",
          [](Graph& g, const Type& type, const Shape& shape, const std::string& name,
             VariableMappingMethod method) { return g.addVariable(type, shape, method, name); },
          py::arg("type"), py::arg("shape"), py::arg("name") = "",
          py::arg("method") = VariableMappingMethod::NONE)
      .def("add_constant", &addConstant, py::arg("type"), py::arg("shape"), py::arg("values"),
           py::arg("name") = "")
      .def(
          "clone",
          [](Graph& g, const Tensor& t, const std::string& name, TensorCloneMethod method) {
            return g.clone(t, name, method);
          },
          py::arg("tensor"), py::arg("name") = "",
          py::arg("method") = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES)
      .def("clone_n", [](Graph& g, const Tensor& t, size_t n) { return g.cloneN(t, n); })
      .def("set_tile_mapping",
           [](Graph& g, const Tensor& t, unsigned tile) { g.setTileMapping(t, tile); })
      .def("set_tile_mapping",
           [](Graph& g, VertexRef v, unsigned tile) { g.setTileMapping(v, tile); })
      .def("set_tile_mapping",
           [](Graph& g, const Tensor& t,
              const std::vector<std::vector<std::pair<size_t, size_t>>>& mapping) {
             Graph::TileToTensorMapping all;
             for (const auto& list : mapping) all.push_back(intervals(list));
             g.setTileMapping(t, all);
           })
      .def(
          "get_tile_mapping",
          [](const Graph& g, const Tensor& t, bool complete) {
            return lists(g.getTileMapping(t, complete));
          },
          py::arg("tensor"), py::arg("require_complete") = true)
      .def(
          "get_sorted_contiguous_regions",
          [](const Graph& g, const Tensor& t, const std::vector<std::pair<size_t, size_t>>& r,
             bool remove) { return lists(g.getSortedContiguousRegions(t, intervals(r), remove)); },
          py::arg("tensor"), py::arg("regions"), py::arg("remove_aliased") = false)
      .def(
          "add_compute_set",
          [](Graph& g, const std::string& name) { return g.addComputeSet(name); },
          py::arg("name") = "")
      .def(
          "add_vertex",
          [](Graph& g, ComputeSet cs, const std::string& type, const py::dict& connections) {
            const VertexRef v = g.addVertex(cs, type);
            for (const auto& c : connections) {
              connect(g, v[c.first.cast<std::string>()],
                      py::reinterpret_borrow<py::object>(c.second));
            }
            return v;
          },
          py::arg("compute_set"), py::arg("type"), py::arg("connections") = py::dict(),
          py::keep_alive<0, 1>())
      .def("connect", &connect)
      .def("set_initial_value", &setInitialValue<FieldRef>)
      .def("set_initial_value", &setInitialValue<Tensor>)
      .def("set_field_size", &Graph::setFieldSize)
      .def("set_perf_estimate", &Graph::setPerfEstimate, py::arg("vertex"), py::arg("cycles"),
           py::arg("flops") = 0)
      .def("add_host_to_device_fifo",
           [](Graph& g, const std::string& handle, const Type& type, size_t n) {
             return g.addHostToDeviceFIFO(handle, type, n);
           })
      .def("add_device_to_host_fifo",
           [](Graph& g, const std::string& handle, const Type& type, size_t n) {
             return g.addDeviceToHostFIFO(handle, type, n);
           })
      .def("create_host_write", [](Graph& g, const std::string& handle,
                                   const Tensor& t) { g.createHostWrite(handle, t); })
      .def("create_host_read", [](Graph& g, const std::string& handle,
                                  const Tensor& t) { g.createHostRead(handle, t); })
      .def("add_function", &Graph::addFunction);
}
