// Views of variables.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/Tensor.hpp>
#include <string>
#include <vector>

#include "intervals.hpp"

namespace py = pybind11;

using namespace poplar;

void register_tensor(py::module_& m) {
  using Shape = std::vector<size_t>;
  py::class_<Tensor>(m, "Tensor", "A view of elements of variables.")
      .def(py::init<>())
      .def_property_readonly("element_type", &Tensor::elementType)
      .def_property_readonly("shape", &Tensor::shape)
      .def_property_readonly("rank", &Tensor::rank)
      .def_property_readonly("num_elements", &Tensor::numElements)
      .def_property_readonly("valid", &Tensor::valid)
      .def("dim", &Tensor::dim)
      .def("is_contiguous", &Tensor::isContiguous)
      .def("contains_aliases", &Tensor::containsAliases)
      .def("contains_constant", &Tensor::containsConstant)
      .def("is_parallel_writeable", &Tensor::isParallelWriteable)
      .def("__getitem__", [](const Tensor& t, size_t i) { return t[i]; })
      .def(
          "slice",
          [](const Tensor& t, size_t b, size_t e, unsigned dim) { return t.slice(b, e, dim); },
          py::arg("begin"), py::arg("end"), py::arg("dimension") = 0)
      .def("slice", [](const Tensor& t, const Shape& b, const Shape& e) { return t.slice(b, e); })
      .def("index", [](const Tensor& t, const Shape& i) { return t.index(i); })
      .def(
          "slices",
          [](const Tensor& t, const std::vector<std::pair<size_t, size_t>>& list, unsigned dim) {
            return t.slices(ArrayRef<Interval>(intervals(list)), dim);
          },
          py::arg("intervals"), py::arg("dimension") = 0)
      .def("flatten", [](const Tensor& t) { return t.flatten(); })
      .def("flatten", [](const Tensor& t, unsigned b, unsigned e) { return t.flatten(b, e); })
      .def("reshape", [](const Tensor& t, const Shape& s) { return t.reshape(s); })
      .def("reshape_partial", [](const Tensor& t, unsigned b, unsigned e,
                                 const Shape& s) { return t.reshapePartial(b, e, s); })
      .def("expand", [](const Tensor& t, const Shape& s) { return t.expand(s); })
      .def("squeeze", [](const Tensor& t, const Shape& s) { return t.squeeze(s); })
      .def("dim_shuffle",
           [](const Tensor& t, const std::vector<unsigned>& p) { return t.dimShuffle(p); })
      .def("dim_shuffle_partial",
           [](const Tensor& t, const std::vector<unsigned>& s, const std::vector<unsigned>& d) {
             return t.dimShufflePartial(s, d);
           })
      .def("dim_roll", &Tensor::dimRoll, py::arg("dim"), py::arg("new_index") = 0)
      .def("transpose", &Tensor::transpose)
      .def("reverse", &Tensor::reverse)
      .def("broadcast", &Tensor::broadcast)
      .def("sub_sample", &Tensor::subSample)
      .def("upsample", [](const Tensor& t, unsigned scale,
                          unsigned dim) { return t.upsample(scale, dim, UpsampleMethod::REPEAT); })
      .def("reinterpret", &Tensor::reinterpret)
      .def("contiguous_regions", [](const Tensor& t) { return pairs(t.getContiguousRegions()); })
      .def("var_regions",
           [](const Tensor& t) {
             std::vector<std::tuple<unsigned, size_t, size_t>> out;
             for (const VariableInterval& r : t.getVarRegions()) {
               out.emplace_back(r.var.id, r.interval.begin(), r.interval.end());
             }
             return out;
           })
      .def("__eq__", [](const Tensor& a, const Tensor& b) { return a == b; })
      .def("__repr__", &Tensor::getDebugStr);
  m.def(
      "concat",
      [](const std::vector<Tensor>& ts, unsigned dim) { return concat(ArrayRef<Tensor>(ts), dim); },
      py::arg("tensors"), py::arg("dimension") = 0);
  m.def(
      "append",
      [](const Tensor& t, const Tensor& element, unsigned dim) { return append(t, element, dim); },
      py::arg("tensor"), py::arg("element"), py::arg("dimension") = 0);
}
