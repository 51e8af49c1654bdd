// Element types, targets and devices.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <utility>

namespace py = pybind11;

using namespace poplar;

namespace {

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

}  // namespace

void register_devices(py::module_& m) {
  registerTypes(m);
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
      .def_readwrite("compile_ipu_code", &IPUModel::compileIPUCode)
      .def_readwrite("global_sync_cycles", &IPUModel::globalSyncCycles)
      .def("create_device", [](const IPUModel& model) { return model.createDevice(); });
}
