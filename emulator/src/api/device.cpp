#include <cstdlib>
#include <poplar/CodeletFileType.hpp>
#include <poplar/Device.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/exceptions.hpp>

#include "api/options.hpp"
#include "api/target.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void unknownDevice(size_t id, size_t devices) {
  throw poplar_error(
      text("DeviceManager::getDevice: expected an id below ", devices, ", got ", id));
}

[[noreturn]] void virtualDeviceTiles(size_t tiles, size_t limit) {
  throw poplar_error(
      text("Device::createVirtualDevice: expected 1 to ", limit, " tiles per IPU, got ", tiles));
}

[[noreturn]] void codeletExtension(const std::string& path) {
  throw file_load_error(
      text("Graph::addCodelets: expected a .gp or a source file, got '", path, "'"));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::DeviceData;

namespace errors = emulator::errors;

namespace {

Device makeDevice(unsigned id, const Target& target) {
  return Device(std::make_shared<DeviceData>(DeviceData{id, target, false, 0}));
}

// The sets of IPUs that an emulated machine offers; a set's id is its index here.
constexpr unsigned kIpuSets[] = {1, 2, 4, 8, 16};

bool emulatesIpus() {
  const char* value = std::getenv("POPSNN_EMULATE_IPU");
  return value != nullptr && *value != '\0' && StringRef(value) != StringRef("0");
}

}  // namespace

Device::Device() : Device(createCPUDevice()) {}
Device::Device(std::shared_ptr<DeviceData> data) : data_(std::move(data)) {}

unsigned Device::getId() const { return data_->id; }
const Target& Device::getTarget() const { return data_->target; }

bool Device::attach() const {
  if (data_->attached) return false;
  data_->attached = true;
  return true;
}

void Device::detach() const { data_->attached = false; }
bool Device::isAttached() const { return data_->attached; }

bool Device::supportsRemoteBuffers() const {
  return data_->target.getTargetType() != TargetType::CPU;
}

std::vector<int> Device::getDriverIDs() const {
  std::vector<int> out(data_->target.getNumIPUs());
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  return out;
}

Device Device::createVirtualDevice(unsigned tilesPerIPU) const {
  const Target& t = data_->target;
  if (tilesPerIPU == 0 || tilesPerIPU > t.getTilesPerIPU()) {
    errors::virtualDeviceTiles(tilesPerIPU, t.getTilesPerIPU());
  }
  Device out = makeDevice(data_->id, t.createVirtualTarget(t.getNumIPUs(), tilesPerIPU));
  out.data_->attached = data_->attached;
  return out;
}

Device Device::createCPUDevice(unsigned numIPUs) {
  return makeDevice(0, Target::createCPUTarget(true, numIPUs));
}

Device Device::createSimulatorDevice(const Target& target, const OptionFlags& options) {
  emulator::checkDeviceOptions("Device::createSimulatorDevice", options);
  const Device out = makeDevice(0, target);
  out.attach();
  return out;
}

Device IPUModel::createDevice(OptionFlags options, bool accurateHalf, unsigned id) const {
  emulator::checkDeviceOptions("IPUModel::createDevice", options);
  const bool any = id == std::numeric_limits<unsigned>::max();
  return makeDevice(any ? 0 : id, emulator::makeTarget(*this, TargetType::IPU_MODEL, accurateHalf));
}

DeviceManager DeviceManager::createDeviceManager() { return DeviceManager(); }

std::vector<Device> DeviceManager::getDevices(const OptionFlags& options) const {
  emulator::checkDeviceOptions("DeviceManager::getDevices", options);
  std::vector<Device> out;
  if (emulatesIpus()) {  // first: programs count on it that the ids of IPUs begin at 0
    for (unsigned n : kIpuSets) {
      out.push_back(
          makeDevice(static_cast<unsigned>(out.size()), Target::createIPUTarget(n, "ipu2")));
    }
  }
  out.push_back(makeDevice(static_cast<unsigned>(out.size()), Target::createCPUTarget(true, 1)));
  return out;
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned requiredNumIPUs,
                                              const OptionFlags& options) const {
  std::vector<Device> out;
  for (const Device& d : getDevices(options)) {
    if (d.getTarget().getTargetType() == type && d.getTarget().getNumIPUs() == requiredNumIPUs) {
      out.push_back(d);
    }
  }
  return out;
}

Device DeviceManager::getDevice(unsigned id, const OptionFlags& options) const {
  const std::vector<Device> devices = getDevices(options);
  if (id >= devices.size()) errors::unknownDevice(id, devices.size());
  return devices[id];
}

CodeletFileType getCodeletFileType(StringRef path) {
  const std::string name = path.str();
  const std::string::size_type dot = name.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (extension == "gp" || extension == "o") return CodeletFileType::Object;
  if (extension == "cpp" || extension == "cc" || extension == "cxx" || extension == "hpp") {
    return CodeletFileType::CppSource;
  }
  if (extension == "c") return CodeletFileType::CSource;
  if (extension == "s") return CodeletFileType::AsmSource;
  if (extension == "S") return CodeletFileType::PreprocessedAsmSource;
  if (extension == "ll") return CodeletFileType::IrSource;
  errors::codeletExtension(name);
}

std::string toString(TensorCloneMethod method) {
  switch (method) {
    case TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES:
      return "PRESERVE_ORDER_AND_ALIASES";
    case TensorCloneMethod::CREATE_NEW_ORDER:
      return "CREATE_NEW_ORDER";
    case TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES:
      return "PRESERVE_ORDER_UNLESS_ALIASES";
    default:
      return "GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES";
  }
}

}  // namespace poplar
