// Binding of libpopsnn: network descriptions in, NumPy buffers through.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Version.hpp>

#include "popsnn/code_memory.hpp"
#include "popsnn/runner.hpp"
#include "records.hpp"

namespace py = pybind11;
using namespace popsnn;

namespace {

// The first free set of IPUs of this machine. An SDK's device is moved, never copied.
poplar::Device attached_device(unsigned ipus) {
  poplar::DeviceManager manager = poplar::DeviceManager::createDeviceManager();
  auto sets = manager.getDevices(poplar::TargetType::IPU, ipus);
  for (poplar::Device& device : sets)
    if (device.attach()) return std::move(device);
  throw std::runtime_error("Runner: model 'hardware': expected a free set of " +
                           std::to_string(ipus) + " IPUs, got " +
                           (sets.empty() ? "none" : std::to_string(sets.size()) + " in use"));
}

poplar::Device device_of(const std::string& model, unsigned ipus, unsigned tiles,
                         unsigned bytes_per_tile) {
  if (model == "hardware") return attached_device(ipus);
  poplar::IPUModel description(model.c_str());
  description.numIPUs = ipus;
  // A target's getMaxIPUSyncDelay() is then 126, as a public transcription of an ipu21 has it.
  description.minIPUSyncDelay = 116;
  if (tiles > 0) description.tilesPerIPU = tiles;
  if (bytes_per_tile > 0) description.memoryBytesPerTile = bytes_per_tile;
  return description.createDevice();
}

const char* numpy_type(const poplar::Type& type) {
  if (type == poplar::UNSIGNED_SHORT) return "uint16";
  if (type == poplar::FLOAT) return "float32";
  if (type == poplar::HALF) return "float16";
  return "uint32";
}

ProgramId program_of(const std::string& name) {
  for (unsigned id = 0; id < unsigned(ProgramId::Count); ++id)
    if (name == program_name(ProgramId(id))) return ProgramId(id);
  throw std::invalid_argument("Runner: program: expected a known name, got '" + name + "'");
}

void run_program(Runner& runner, const std::string& program, const py::dict& arrays) {
  const ProgramId id = program_of(program);
  std::vector<HostBuffer> buffers;
  for (const HostStream& stream : runner.streams(id)) {
    const py::str name(stream.name);
    if (!arrays.contains(name)) continue;  // Runner::run names what is missing
    const py::array array = py::reinterpret_borrow<py::object>(arrays[name]).cast<py::array>();
    if (!array.dtype().equal(py::dtype(numpy_type(stream.type))))
      throw py::type_error(program + ": buffer '" + stream.name + "': expected " +
                           numpy_type(stream.type) + ", got " +
                           std::string(py::str(array.dtype())));
    if (!(array.flags() & py::array::c_style))
      throw py::value_error(program + ": buffer '" + stream.name +
                            "': expected a contiguous row-major array, got strides");
    const std::vector<std::size_t> shape(array.shape(), array.shape() + array.ndim());
    if (shape != stream.shape)
      throw py::value_error(program + ": buffer '" + stream.name + "': expected shape " +
                            std::string(py::str(py::tuple(py::cast(stream.shape)))) + ", got " +
                            std::string(py::str(py::tuple(py::cast(shape)))));
    if (!stream.to_device && !array.writeable())
      throw py::value_error(program + ": buffer '" + stream.name +
                            "': expected an array to write to, got a read-only one");
    void* data = const_cast<void*>(array.data());
    buffers.push_back({stream.name, data, std::size_t(array.nbytes())});
  }
  py::gil_scoped_release release;
  runner.run(id, buffers);
}

// "auto" or a bool.
Choice choice_of(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? Choice::Always : Choice::Never;
  if (py::isinstance<py::str>(value) && value.cast<std::string>() == "auto") return Choice::Auto;
  throw std::invalid_argument("plan: expected True, False or 'auto', got " +
                              py::repr(value).cast<std::string>());
}

// One for all layers, or one for each.
std::vector<Choice> choices_of(const py::object& values) {
  if (!py::isinstance<py::tuple>(values)) return {choice_of(values)};
  std::vector<Choice> layers;
  for (const py::handle value : values) layers.push_back(choice_of(value));
  return layers;
}

py::tuple bounds(const Range& range) { return py::make_tuple(range.begin, range.end); }

// {name: (dtype, shape)} of a program's streams.
py::dict program_streams(const Runner& runner, const std::string& program) {
  py::dict streams;
  for (const HostStream& stream : runner.streams(program_of(program)))
    streams[py::str(stream.name)] =
        py::make_tuple(numpy_type(stream.type), py::tuple(py::cast(stream.shape)));
  return streams;
}

}  // namespace

void register_snn(py::module_& module) {
  module.def("codelet_sizes", &codelet_sizes, "Bytes of code by codelet.");
  module.def("vertex_code_bytes", &vertex_code_bytes, py::arg("type"), "Bytes of a vertex type.");
  module.def("poplar_hash", &poplar::packageHash, "Poplar's build; the emulation's is 'emulated'.");
  py::class_<LayerPlan>(module, "LayerPlan")
      .def_readonly("first_tile", &LayerPlan::first_tile)
      .def_readonly("tiles", &LayerPlan::tiles)
      .def_readonly("neurons_per_tile", &LayerPlan::neurons_per_tile)
      .def_readonly("stage", &LayerPlan::stage)
      .def_readonly("dense", &LayerPlan::dense)
      .def_readonly("partial_tiles", &LayerPlan::partial_tiles)
      .def_readonly("own_entries", &LayerPlan::own_entries);
  py::class_<ListPlan>(module, "ListPlan")
      .def_readonly("padded_capacity", &ListPlan::padded_capacity)
      .def_property_readonly("scan_tiles",
                             [](const ListPlan& list) {
                               py::list tiles;
                               for (const Range& range : list.scan_tiles)
                                 tiles.append(bounds(range));
                               return tiles;
                             })
      .def_readonly("row_tiles", &ListPlan::row_tiles)
      .def_property_readonly("ranges", [](const ListPlan& list) {
        py::list ranges;
        for (const SampleRange& range : list.ranges)
          ranges.append(py::make_tuple(range.tile, bounds(range.samples)));
        return ranges;
      });
  py::class_<ReplicaPlan>(module, "ReplicaPlan")
      .def_property_readonly("samples", [](const ReplicaPlan& r) { return bounds(r.samples); })
      .def_property_readonly("tiles", [](const ReplicaPlan& r) { return bounds(r.tiles); })
      .def_readonly("layers", &ReplicaPlan::layers)
      .def_readonly("input", &ReplicaPlan::input)
      .def_readonly("lists", &ReplicaPlan::lists);

  py::class_<Runner>(module, "Runner")
      .def(py::init([](const py::object& network, const std::string& codelets,
                       const std::string& model, unsigned ipus, unsigned tiles,
                       unsigned bytes_per_tile, std::size_t replicas, std::size_t segment,
                       unsigned sizes, const py::object& dense, bool remote_partials,
                       const py::object& rows_ahead, std::size_t planned_steps, bool instrument,
                       bool count_cycles) {
             poplar::Device device = device_of(model, ipus, tiles, bytes_per_tile);
             // The costs of the profile are found at once, or not at all.
             const poplar::OptionFlags options{{"debug.instrument", instrument ? "true" : "false"},
                                               {"debug.retainDebugInformation", "false"}};
             const PlanOptions plan{replicas,
                                    segment,
                                    sizes,
                                    planned_steps,
                                    choices_of(dense),
                                    remote_partials,
                                    choice_of(rows_ahead),
                                    count_cycles};
             const NetworkSpec spec = read_record<NetworkSpec>("NetworkSpec", network);
             py::gil_scoped_release release;
             return std::unique_ptr<Runner>(
                 new Runner(spec, std::move(device), codelets, plan, options));
           }),
           py::arg("network"), py::arg("codelets"), py::kw_only(), py::arg("model") = "ipu2",
           py::arg("ipus") = 1, py::arg("tiles") = 0, py::arg("bytes_per_tile") = 0,
           py::arg("replicas") = 0, py::arg("segment") = 0, py::arg("sizes") = 0,
           py::arg("dense") = "auto", py::arg("remote_partials") = true,
           py::arg("rows_ahead") = "auto", py::arg("planned_steps") = 0,
           py::arg("instrument") = false, py::arg("count_cycles") = false)
      .def("run", &run_program, py::arg("program"), py::arg("buffers"))
      .def("streams", &program_streams, py::arg("program"))
      .def_property_readonly("replicas",
                             [](const Runner& runner) { return runner.plan().replicas; })
      .def_property_readonly("streamed",
                             [](const Runner& runner) { return runner.plan().streamed; })
      .def_property_readonly("segment",
                             [](const Runner& runner) { return runner.plan().checkpoint_interval; })
      .def_property_readonly("forward_sizes",
                             [](const Runner& runner) { return runner.plan().forward_sizes; })
      .def_property_readonly("backward_sizes",
                             [](const Runner& runner) { return runner.plan().backward_sizes; })
      .def_property_readonly(
          "gradients",
          [](const Runner& runner) {
            py::list layers;
            for (const auto& sources : runner.gradients()) {
              py::list costs;
              for (const GradientCost& cost : sources)
                costs.append(py::make_tuple(cost.sparse, cost.dense));
              layers.append(costs);
            }
            return layers;
          },
          "Modelled cycles of weight gradients, (sparse, dense) by layer and source.")
      .def_property_readonly("planned_bytes_per_tile", &Runner::planned_bytes,
                             "Bytes that the planner thought each tile takes, without code.")
      .def_property_readonly(
          "planned_code_bytes_per_tile",
          [](const Runner& runner) { return runner.planned_code().bytes; },
          "Bytes that the planner reserved on each tile for code and stacks.")
      .def_property_readonly(
          "planned_vertex_types", [](const Runner& runner) { return runner.planned_code().types; },
          "By tile the types of vertices for which the planner reserved code.")
      .def_property_readonly(
          "rows_ahead",
          [](const Runner& runner) {
            std::vector<unsigned> longest;
            for (const LayerSpec& layer : runner.network().layers)
              longest.push_back(layer.rows_ahead);
            return longest;
          },
          "By layer the later time steps to whose rows its products go; 0: none.")
      .def_property_readonly("layers",
                             [](const Runner& runner) { return runner.plan().replicas[0].layers; });
}
