// The text of a tensor as PrintTensor writes it, for print operators that run in Python.
#pragma once

#include <pybind11/numpy.h>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace print_text {

namespace py = pybind11;

template <class T>
std::string printed(const poplar::Type& type, const py::array& array,
                    const poplar::PrintTensorFmt& format) {
  const auto values = py::array_t<T, py::array::c_style | py::array::forcecast>(array);
  const std::vector<std::size_t> shape(values.shape(), values.shape() + values.ndim());
  const poplar::Device device = poplar::Device::createCPUDevice();
  poplar::Graph graph(device.getTarget());
  const poplar::Tensor t = graph.addConstant(type, shape, values.data());
  graph.setTileMapping(t, 0);
  poplar::Engine engine(graph, poplar::program::PrintTensor("", t, format));
  std::ostringstream text;
  engine.setPrintTensorStream(text);
  engine.load(device);
  engine.run(0);
  std::string out = text.str();
  out.pop_back();  // the end of the line, which the caller prints
  return out;
}

// An array of floats, halves or integers, by the arguments of PrintTensorFmt.
inline std::string format_tensor(const py::array& array, unsigned summarise_threshold,
                                 unsigned edge_items, unsigned max_line_width, unsigned digits,
                                 unsigned float_format, char separator, char open_bracket,
                                 char close_bracket) {
  const poplar::PrintTensorFmt format(
      summarise_threshold, edge_items, max_line_width, digits,
      static_cast<poplar::PrintTensorFmt::FloatFormat>(float_format), separator, open_bracket,
      close_bracket);
  if (array.dtype().kind() != 'f') return printed<int>(poplar::INT, array, format);
  const poplar::Type type = array.dtype().itemsize() == 2 ? poplar::HALF : poplar::FLOAT;
  return printed<float>(type, array, format);
}

}  // namespace print_text
