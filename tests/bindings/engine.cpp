// Executables and engines.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <poplar/Engine.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

using namespace poplar;

namespace {

OptionFlags toOptions(const std::map<std::string, std::string>& options) {
  OptionFlags out;
  for (const auto& o : options) out.set(o.first, o.second);
  return out;
}

// The bytes of an array that the Engine reads or writes in place.
std::pair<char*, char*> byteRange(const py::array& a, bool writes) {
  if (!(a.flags() & py::array::c_style)) {
    throw py::value_error("expected a C-contiguous array, got one with strides");
  }
  if (writes && !a.writeable()) throw py::value_error("expected a writeable array");
  char* begin = const_cast<char*>(static_cast<const char*>(a.data()));
  return {begin, begin + a.nbytes()};
}

}  // namespace

void register_engine(py::module_& m) {
  using Options = std::map<std::string, std::string>;
  using Programs = std::vector<program::Program>;
  py::class_<Executable>(m, "Executable", "A compiled graph, ready for an Engine.")
      .def_property_readonly("bytes_per_tile", &Executable::getBytesPerTile)
      .def_property_readonly("fits_memory", &Executable::fitsMemory)
      .def("serialize",
           [](const Executable& e) {
             std::ostringstream out;
             e.serialize(out);
             return py::bytes(out.str());
           })
      .def_static("deserialize", [](const std::string& bytes) {
        std::istringstream in(bytes);
        return Executable::deserialize(in);
      });
  m.def(
      "compile_graph",
      [](const Graph& g, const Programs& programs, const Options& options) {
        return compileGraph(g, programs, toOptions(options));
      },
      py::arg("graph"), py::arg("programs"), py::arg("options") = Options());
  py::class_<Engine>(m, "Engine", "Runs the programs of a compiled graph.")
      .def(py::init([](const Graph& g, const Programs& programs, const Options& options) {
             return new Engine(g, ArrayRef<program::Program>(programs), toOptions(options));
           }),
           py::arg("graph"), py::arg("programs"), py::arg("options") = Options())
      .def(py::init([](Executable& e, const Options& options) {
             return new Engine(std::move(e), toOptions(options));
           }),
           py::arg("executable"), py::arg("options") = Options())
      .def("load", &Engine::load)
      .def(
          "run", [](Engine& e, unsigned program) { e.run(program); }, py::arg("program") = 0,
          py::call_guard<py::gil_scoped_release>())
      .def("write_tensor",
           [](Engine& e, const std::string& handle, const py::array& a) {
             const auto range = byteRange(a, false);
             e.writeTensor(handle, range.first, range.second);
           })
      .def("read_tensor",
           [](Engine& e, const std::string& handle, const py::array& out) {
             const auto range = byteRange(out, true);
             e.readTensor(handle, range.first, range.second);
             return out;
           })
      .def(
          "connect_stream",
          [](Engine& e, const std::string& handle, const py::array& a, bool circular) {
            const auto range = byteRange(a, false);
            if (circular) {
              e.connectStream(handle, range.first, range.second);
            } else {
              e.connectStream(handle, range.first);
            }
          },
          py::arg("handle"), py::arg("array"), py::arg("circular") = true, py::keep_alive<1, 3>())
      .def("connect_stream_to_callback",
           [](Engine& e, const DataStream& stream,
              const std::function<void(py::memoryview)>& function) {
             if (!function) {
               throw py::type_error(
                   "connect_stream_to_callback: function: expected a callable, got None");
             }
             const Target target;
             const size_t bytes = stream.numElements() * target.getTypeSize(stream.elementType());
             e.connectStreamToCallback(stream.handle(), [function, bytes](void* buffer) {
               py::gil_scoped_acquire gil;
               function(py::memoryview::from_memory(buffer, static_cast<py::ssize_t>(bytes)));
             });
           })
      .def_property_readonly("bytes_per_tile", &Engine::getBytesPerTile)
      .def_property_readonly("fits_memory", &Engine::fitsMemory);
}
