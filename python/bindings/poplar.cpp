// popsnn._core.poplar: the emulated Poplar host API, as thin as it can be.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

namespace py = pybind11;

using namespace poplar;

void register_poplar_exceptions(py::module_& m);
void register_poplar_profile(py::module_& m);
void register_poplar_programs(py::module_& m);

namespace {

using Shape = std::vector<size_t>;

OptionFlags toOptions(const std::map<std::string, std::string>& options) {
  OptionFlags out;
  for (const auto& o : options) out.set(o.first, o.second);
  return out;
}

// Hands fn a pointer to the elements of `values`, as long long where they are integral, else as
// double: the API converts to the destination's type.
template <class Fn>
void withValues(const py::object& values, Fn&& fn) {
  const py::array any = py::array::ensure(values);
  if (!any) throw py::type_error("expected numbers or an array of them");
  const char kind = any.dtype().kind();
  if (kind == 'f') {
    const auto a = py::array_t<double, py::array::c_style | py::array::forcecast>(any);
    fn(a.data(), static_cast<size_t>(a.size()), a.ndim() == 0);
  } else if (kind == 'u') {
    const auto a = py::array_t<unsigned long long, py::array::c_style | py::array::forcecast>(any);
    fn(a.data(), static_cast<size_t>(a.size()), a.ndim() == 0);
  } else {
    const auto a = py::array_t<long long, py::array::c_style | py::array::forcecast>(any);
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

std::vector<std::pair<size_t, size_t>> pairs(const std::vector<Interval>& intervals) {
  std::vector<std::pair<size_t, size_t>> out;
  for (const Interval& i : intervals) out.emplace_back(i.begin(), i.end());
  return out;
}

std::vector<Interval> intervals(const std::vector<std::pair<size_t, size_t>>& list) {
  std::vector<Interval> out;
  for (const auto& p : list) out.emplace_back(p.first, p.second);
  return out;
}

std::vector<std::vector<std::pair<size_t, size_t>>> lists(
    const std::vector<std::vector<Interval>>& all) {
  std::vector<std::vector<std::pair<size_t, size_t>>> out;
  for (const auto& list : all) out.push_back(pairs(list));
  return out;
}

void registerTypes(py::module_& m) {
  py::class_<Type>(m, "Type", "Element type of a tensor.")
      .def("__str__", &Type::toString)
      .def("__repr__", &Type::toString)
      .def("__eq__", [](const Type& a, const Type& b) { return a == b; })
      .def("__hash__", [](const Type& a) { return std::hash<Type>()(a); });
  const std::pair<const char*, Type> types[] = {
      {"BOOL", BOOL},
      {"CHAR", CHAR},
      {"UNSIGNED_CHAR", UNSIGNED_CHAR},
      {"SIGNED_CHAR", SIGNED_CHAR},
      {"SHORT", SHORT},
      {"UNSIGNED_SHORT", UNSIGNED_SHORT},
      {"INT", INT},
      {"UNSIGNED_INT", UNSIGNED_INT},
      {"LONG", LONG},
      {"UNSIGNED_LONG", UNSIGNED_LONG},
      {"LONGLONG", LONGLONG},
      {"UNSIGNED_LONGLONG", UNSIGNED_LONGLONG},
      {"HALF", HALF},
      {"FLOAT", FLOAT},
      {"QUARTER", QUARTER},
  };
  for (const auto& t : types) m.attr(t.first) = t.second;
  py::enum_<TargetType>(m, "TargetType")
      .value("IPU", TargetType::IPU)
      .value("IPU_MODEL", TargetType::IPU_MODEL)
      .value("CPU", TargetType::CPU);
  py::enum_<VariableMappingMethod>(m, "VariableMappingMethod")
      .value("NONE", VariableMappingMethod::NONE)
      .value("LINEAR", VariableMappingMethod::LINEAR);
  py::enum_<TensorCloneMethod>(m, "TensorCloneMethod")
      .value("PRESERVE_ORDER_AND_ALIASES", TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES)
      .value("CREATE_NEW_ORDER", TensorCloneMethod::CREATE_NEW_ORDER)
      .value("PRESERVE_ORDER_UNLESS_ALIASES", TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES)
      .value("GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES",
             TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES);
}

void registerDevices(py::module_& m) {
  py::class_<Target>(m, "Target", "What a graph is built for.")
      .def_static("create_cpu_target", &Target::createCPUTarget, py::arg("accurate_half") = false,
                  py::arg("num_ipus") = 1)
      .def_static(
          "create_ipu_target",
          [](unsigned n, const std::string& system) { return Target::createIPUTarget(n, system); },
          py::arg("num_ipus"), py::arg("system_type") = "ipu2")
      .def_property_readonly("target_type", &Target::getTargetType)
      .def_property_readonly("arch", &Target::getTargetArchString)
      .def_property_readonly("num_tiles", &Target::getNumTiles)
      .def_property_readonly("tiles_per_ipu", &Target::getTilesPerIPU)
      .def_property_readonly("num_ipus", &Target::getNumIPUs)
      .def_property_readonly("num_worker_contexts", &Target::getNumWorkerContexts)
      .def_property_readonly("bytes_per_tile", &Target::getBytesPerTile)
      .def_property_readonly("tile_clock_frequency", &Target::getTileClockFrequency)
      .def("type_size", &Target::getTypeSize)
      .def("vector_width", &Target::getVectorWidth)
      .def("__eq__", [](const Target& a, const Target& b) { return a == b; });
  py::class_<Device>(m, "Device", "Something that an Engine can be loaded onto.")
      .def_static("create_cpu_device", &Device::createCPUDevice, py::arg("num_ipus") = 1)
      .def_property_readonly("id", &Device::getId)
      .def_property_readonly("target", &Device::getTarget)
      .def("attach", &Device::attach)
      .def("detach", &Device::detach)
      .def("create_virtual_device", &Device::createVirtualDevice);
  py::class_<DeviceManager>(m, "DeviceManager", "Lists the devices of this machine.")
      .def(py::init(&DeviceManager::createDeviceManager))
      .def("get_devices", [](const DeviceManager& d) { return d.getDevices(); })
      .def("get_devices", [](const DeviceManager& d, TargetType type,
                             unsigned n) { return d.getDevices(type, n); })
      .def("get_device", [](const DeviceManager& d, unsigned id) { return d.getDevice(id); });
  py::enum_<IPUModel::RelativeSyncDelayType>(m, "RelativeSyncDelayType")
      .value("AUTO", IPUModel::RelativeSyncDelayType::AUTO)
      .value("NO_DELAY", IPUModel::RelativeSyncDelayType::NO_DELAY);
  py::class_<IPUModel>(m, "IPUModel", "Parameters of a modelled IPU.")
      .def(py::init<const char*>(), py::arg("version") = "ipu2")
      .def_readonly("version", &IPUModel::IPUVersion)
      .def_readwrite("num_ipus", &IPUModel::numIPUs)
      .def_readwrite("tiles_per_ipu", &IPUModel::tilesPerIPU)
      .def_readwrite("num_worker_contexts", &IPUModel::numWorkerContexts)
      .def_readwrite("memory_bytes_per_tile", &IPUModel::memoryBytesPerTile)
      .def_readwrite("tile_clock_frequency", &IPUModel::tileClockFrequency)
      .def_readwrite("min_ipu_sync_delay", &IPUModel::minIPUSyncDelay)
      .def_readwrite("relative_sync_delay", &IPUModel::relativeSyncDelay)
      .def_readwrite("global_sync_cycles", &IPUModel::globalSyncCycles)
      .def("create_device", [](const IPUModel& model) { return model.createDevice(); });
}

void registerTensor(py::module_& m) {
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

void registerGraph(py::module_& m) {
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
            std::istringstream stream(text);
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

// The bytes of an array that the Engine reads or writes in place.
std::pair<char*, char*> byteRange(const py::array& a, bool writes) {
  if (!(a.flags() & py::array::c_style)) {
    throw py::value_error("expected a C-contiguous array, got one with strides");
  }
  if (writes && !a.writeable()) throw py::value_error("expected a writeable array");
  char* begin = const_cast<char*>(static_cast<const char*>(a.data()));
  return {begin, begin + a.nbytes()};
}

void registerEngine(py::module_& m) {
  using Options = std::map<std::string, std::string>;
  using Programs = std::vector<program::Program>;
  py::class_<Executable>(m, "Executable", "A compiled graph, ready for an Engine.")
      .def_property_readonly("bytes_per_tile", &Executable::getBytesPerTile)
      .def_property_readonly("fits_memory", &Executable::fitsMemory);
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
  registerTypes(m);
  registerDevices(m);
  registerTensor(m);
  registerGraph(m);
  register_poplar_programs(m);
  registerEngine(m);
  registerLibraries(m);
  register_poplar_profile(m);
}
