#include <cstdlib>
#include <poplar/CodeletFileType.hpp>
#include <poplar/Device.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/exceptions.hpp>
#include <utility>

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

[[noreturn]] void movedFrom() {
  throw poplar_error("Device: expected a device, got one that was moved to another holder");
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

Device makeDevice(unsigned id, const Target& target, std::atomic<bool>* taken = nullptr) {
  return Device(std::make_shared<DeviceData>(
      DeviceData{id, target, std::make_shared<emulator::Attachment>(taken), 0}));
}

// The sets of IPUs that an emulated machine offers, none of which shares an IPU with another; a
// set's id is its index here.
struct IpuSet {
  unsigned ipus;
  std::atomic<bool> taken;  // by a device of this process
};
IpuSet ipuSets[] = {{1, {false}}, {2, {false}}, {4, {false}}, {8, {false}}, {16, {false}}};

bool emulatesIpus() {
  const char* value = std::getenv("POPSNN_EMULATE_IPU");
  return value != nullptr && *value != '\0' && StringRef(value) != StringRef("0");
}

}  // namespace

Device::Device() : Device(createCPUDevice()) {}
Device::Device(std::shared_ptr<DeviceData> data) : data_(std::move(data)) {}

DeviceData& Device::data() const {
  if (data_ == nullptr) errors::movedFrom();
  return *data_;
}

unsigned Device::getId() const { return data().id; }
const Target& Device::getTarget() const { return data().target; }

bool Device::attach() const { return data().attachment->attach(); }
void Device::detach() const { data().attachment->detach(); }
bool Device::isAttached() const { return data().attachment->attached; }

bool Device::supportsRemoteBuffers() const {
  return data().target.getTargetType() != TargetType::CPU;
}

std::vector<int> Device::getDriverIDs() const {
  std::vector<int> out(data().target.getNumIPUs());
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  return out;
}

Device Device::createVirtualDevice(unsigned tilesPerIPU) const {
  const Target& t = data().target;
  if (tilesPerIPU == 0 || tilesPerIPU > t.getTilesPerIPU()) {
    errors::virtualDeviceTiles(tilesPerIPU, t.getTilesPerIPU());
  }
  Device out = makeDevice(data().id, t.createVirtualTarget(t.getNumIPUs(), tilesPerIPU));
  out.data().attachment = data().attachment;
  return out;
}

Device Device::createCPUDevice(unsigned numIPUs) {
  return makeDevice(0, Target::createCPUTarget(true, numIPUs));
}

Device Device::createSimulatorDevice(const Target& target, const OptionFlags& options) {
  emulator::checkDeviceOptions("Device::createSimulatorDevice", options);
  Device out = makeDevice(0, target);
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
    for (IpuSet& set : ipuSets) {
      out.push_back(makeDevice(static_cast<unsigned>(out.size()),
                               Target::createIPUTarget(set.ipus, "ipu2"), &set.taken));
    }
  }
  out.push_back(makeDevice(static_cast<unsigned>(out.size()), Target::createCPUTarget(true, 1)));
  return out;
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned requiredNumIPUs,
                                              const OptionFlags& options) const {
  std::vector<Device> out;
  for (Device& d : getDevices(options)) {
    if (d.getTarget().getTargetType() == type && d.getTarget().getNumIPUs() == requiredNumIPUs) {
      out.push_back(std::move(d));
    }
  }
  return out;
}

Device DeviceManager::getDevice(unsigned id, const OptionFlags& options) const {
  std::vector<Device> devices = getDevices(options);
  if (id >= devices.size()) errors::unknownDevice(id, devices.size());
  return std::move(devices[id]);
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
