// popsnn._popart: operators of PopART's registry, each run by itself on the emulated device.
#include <dlfcn.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <popart/emulator/SingleOp.hpp>
#include <popart/error.hpp>
#include <popart/opmanager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>
#include <poputil/exceptions.hpp>

#include "interrupt.hpp"
#include "popart_attributes.hpp"
#include "print_text.hpp"

namespace py = pybind11;

using namespace popart;
using emulator::DeviceOptions;
using emulator::SingleOp;

namespace {

using OpPointer = std::shared_ptr<SingleOp>;

py::object described(const TensorInfo& info) {
  if (!info.isSet()) return py::none();
  return py::make_tuple(info.data_type_lcase(), py::tuple(py::cast(info.shape())));
}

py::list described(const std::vector<TensorInfo>& infos) {
  py::list out;
  for (const TensorInfo& info : infos) out.append(described(info));
  return out;
}

TensorInfo toInfo(const py::handle& input) {
  if (input.is_none()) return TensorInfo();
  const auto pair = input.cast<std::pair<std::string, Shape>>();
  return TensorInfo(pair.first, pair.second);
}

OpPointer make(const std::string& domain, const std::string& name, unsigned version,
               const py::dict& attributes, const py::list& inputs, int numOutputs) {
  std::vector<TensorInfo> infos;
  for (const py::handle& input : inputs) infos.push_back(toInfo(input));
  return SingleOp::make(OperatorIdentifier(domain, name, version),
                        Attributes(to_attributes(attributes)), infos, numOutputs);
}

// The array's memory where it is what the tensor is.
const void* dataOf(const SingleOp& op, std::size_t index, const py::handle& object) {
  const TensorInfo& info = op.inputs()[index];
  if (!info.isSet()) {
    if (!object.is_none())
      throw error("{}: input {}: expected None for an input left out, got an array", op.opid(),
                  index);
    return nullptr;
  }
  if (!py::isinstance<py::array>(object))
    throw error("{}: input {}: expected an array of {}, got {}", op.opid(), index, info,
                std::string(py::str(py::type::handle_of(object).attr("__name__"))));
  const py::array array = py::reinterpret_borrow<py::array>(object);
  const Shape shape(array.shape(), array.shape() + array.ndim());
  if (!array.dtype().equal(py::dtype(info.data_type_lcase())) || shape != info.shape())
    throw error("{}: input {}: expected an array of {}, got {} {}", op.opid(), index, info,
                std::string(py::str(array.dtype())), std::string(py::str(py::cast(shape))));
  if (!(array.flags() & py::array::c_style))
    throw error("{}: input {}: expected a contiguous row-major array, got strides", op.opid(),
                index);
  return array.data();
}

py::array emptyArray(const TensorInfo& info) {
  return py::array(py::dtype(info.data_type_lcase()), info.shape());
}

py::tuple run(SingleOp& op, const py::sequence& arrays, const DeviceOptions* device,
              std::uint64_t seed, bool readModified) {
  if (arrays.size() != op.inputs().size())
    throw error("{}: expected {} inputs, got {}", op.opid(), op.inputs().size(), arrays.size());
  std::vector<const void*> in;
  for (std::size_t i = 0; i < arrays.size(); ++i) in.push_back(dataOf(op, i, arrays[i]));
  py::list outputs;
  std::vector<void*> out;
  for (const TensorInfo& info : op.outputs()) {
    py::array array = emptyArray(info);
    out.push_back(array.mutable_data());
    outputs.append(array);
  }
  py::dict modified;
  std::map<InIndex, void*> modifiedOut;
  if (readModified) {
    for (InIndex index : op.modified()) {
      py::array array = emptyArray(op.inputs()[static_cast<std::size_t>(index)]);
      modifiedOut[index] = array.mutable_data();
      modified[py::int_(index)] = array;
    }
  }
  const DeviceOptions options = device == nullptr ? DeviceOptions() : *device;
  {
    py::gil_scoped_release release;
    op.run(options, in, out, modifiedOut, seed);
  }
  return py::make_tuple(outputs, modified);
}

py::list gradientInputs(const SingleOp& op) {
  py::list out;
  for (const emulator::GradientInput& input : op.gradientInputs()) {
    constexpr const char* kTypes[] = {"in", "out", "grad_out"};
    if (input.connected)
      out.append(py::make_tuple(kTypes[static_cast<int>(input.type)], input.index));
    else
      out.append(py::none());
  }
  return out;
}

void loadLibrary(const std::string& path) {
  if (dlopen(path.c_str(), RTLD_NOW) == nullptr)
    throw error("load_library: expected a library of operators, got an error: {}",
                std::string(dlerror()));
}

void registerExceptions(py::module_& m) {
  // Local: a translator for all modules would turn poplar's errors elsewhere into these.
  const auto popartError =
      py::register_local_exception<error>(m, "popart_exception", PyExc_RuntimeError);
  py::register_local_exception<internal_error>(m, "popart_internal_exception", popartError);
  py::register_local_exception<poplar::poplar_error>(m, "poplar_exception", PyExc_RuntimeError);
  py::register_local_exception<poputil::poplibs_error>(m, "poplibs_exception", PyExc_RuntimeError);
}

void registerDevice(py::module_& m) {
  py::class_<DeviceOptions>(m, "Device", "A modelled device, and how graphs are compiled for it.")
      .def(py::init([](const std::string& model, unsigned ipus, py::object tiles,
                       const std::map<std::string, std::string>& engineOptions,
                       const std::vector<std::string>& codelets, const std::string& flags,
                       const std::map<std::string, bool>& patterns, bool aliasChecking) {
             DeviceOptions out;
             out.model = model;
             out.ipus = ipus;
             if (!tiles.is_none()) out.tilesPerIpu = tiles.cast<unsigned>();
             out.session.engineOptions = engineOptions;
             out.session.customCodelets = codelets;
             out.session.customCodeletCompileFlags = flags;
             out.session.patterns = patterns;
             out.session.opxAliasChecking = aliasChecking;
             return out;
           }),
           py::arg("model") = "ipu2", py::arg("ipus") = 1, py::arg("tiles_per_ipu") = py::none(),
           py::arg("engine_options") = std::map<std::string, std::string>(),
           py::arg("codelets") = std::vector<std::string>(), py::arg("codelet_flags") = "",
           py::arg("patterns") = std::map<std::string, bool>(),
           py::arg("opx_alias_checking") = false)
      .def_property_readonly("tiles",
                             [](const DeviceOptions& d) {
                               poplar::IPUModel model(d.model.c_str());
                               model.numIPUs = d.ipus;
                               if (d.tilesPerIpu != 0) model.tilesPerIPU = d.tilesPerIpu;
                               return model.createDevice().getTarget().getNumTiles();
                             })
      .def_property_readonly(
          "clock",
          [](const DeviceOptions& d) {
            return poplar::IPUModel(d.model.c_str()).tileClockFrequency;
          },
          "Hz")
      .def("__eq__",
           [](const DeviceOptions& a, const DeviceOptions& b) { return a.key() == b.key(); })
      .def("__hash__", [](const DeviceOptions& d) { return std::hash<std::string>()(d.key()); });
}

}  // namespace

void register_popart_session(py::module_& m);

PYBIND11_MODULE(_popart, m) {
  m.doc() = "Operators of PopART's registry, each run by itself on the emulated device.";
  watch_signals();
  registerExceptions(m);
  registerDevice(m);
  register_popart_session(m);
  m.def("load_library", &loadLibrary, py::arg("path"));
  m.def("operators", [] {
    py::list out;
    for (const OperatorIdentifier& id : OpManager::getSupportedOperations(true))
      out.append(py::make_tuple(id.domain, id.type, id.version));
    return out;
  });
  m.def("make", &make, py::arg("domain"), py::arg("name"), py::arg("version"),
        py::arg("attributes"), py::arg("inputs"), py::arg("num_outputs"));
  m.def("clear", &SingleOp::clear);
  m.def("format_tensor", &print_text::format_tensor, py::arg("array"),
        py::arg("summarise_threshold"), py::arg("edge_items"), py::arg("max_line_width"),
        py::arg("digits"), py::arg("float_format"), py::arg("separator"), py::arg("open_bracket"),
        py::arg("close_bracket"));
  py::class_<SingleOp, OpPointer>(m, "Op", "An operator with types and shapes of inputs.")
      .def_property_readonly("domain", [](const SingleOp& op) { return op.opid().domain; })
      .def_property_readonly("type", [](const SingleOp& op) { return op.opid().type; })
      .def_property_readonly("version", [](const SingleOp& op) { return op.opid().version; })
      .def_property_readonly("inputs", [](const SingleOp& op) { return described(op.inputs()); })
      .def_property_readonly("outputs", [](const SingleOp& op) { return described(op.outputs()); })
      .def_property_readonly("random", &SingleOp::takesSeed)
      .def_property_readonly("optional_inputs", &SingleOp::optionalInputs)
      .def_property_readonly("modifies", &SingleOp::modified)
      .def_property_readonly("aliases", &SingleOp::aliases)
      .def_property_readonly("attributes", &SingleOp::attributes)
      .def_property_readonly("cycles", &SingleOp::cycles, "Modelled, of the last run.")
      .def("gradients", &SingleOp::gradients)
      .def_property_readonly("grad_inputs", &gradientInputs)
      .def_property_readonly("grad_outputs", &SingleOp::gradientOutputs)
      .def(
          "run",
          [](SingleOp& op, const py::sequence& arrays, const DeviceOptions* device,
             std::uint64_t seed) -> py::object { return run(op, arrays, device, seed, false)[0]; },
          py::arg("arrays"), py::arg("device") = py::none(), py::arg("seed") = 0)
      .def(
          "run_modified",
          [](SingleOp& op, const py::sequence& arrays, const DeviceOptions* device,
             std::uint64_t seed) { return run(op, arrays, device, seed, true); },
          py::arg("arrays"), py::arg("device") = py::none(), py::arg("seed") = 0);
}
