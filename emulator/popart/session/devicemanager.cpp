#include <limits>
#include <popart/devicemanager.hpp>
#include <popart/error.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <utility>

namespace popart {

namespace {

unsigned numberOf(const std::pair<const std::string, std::string>& option) {
  const std::string& text = option.second;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long long number = digits && text.size() < 11 ? std::stoull(text) : 0;
  if (number == 0 || number > std::numeric_limits<unsigned>::max())
    throw error(
        "DeviceManager::createIpuModelDevice: expected a number above 0 and below 2^32 for '{}', "
        "got '{}'",
        option.first, text);
  return static_cast<unsigned>(number);
}

// As Python and C++ write it.
bool flagOf(const std::pair<const std::string, std::string>& option) {
  for (const char* yes : {"1", "true", "True"}) {
    if (option.second == yes) return true;
  }
  for (const char* no : {"0", "false", "False"}) {
    if (option.second == no) return false;
  }
  throw error("DeviceManager::createIpuModelDevice: expected true or false for '{}', got '{}'",
              option.first, option.second);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const DeviceType& type) {
  constexpr const char* kNames[] = {"IpuModel", "Cpu", "Ipu", "OfflineIpu", "Sim"};
  return out << kNames[static_cast<int>(type)];
}

std::string DeviceInfo::toString() const {
  return logging::format("Device Type:{} NumIPUs:{} Tiles per IPU:{}", type_, getNumIpus(),
                         getTilesPerIPU());
}

DeviceManager& DeviceManager::createDeviceManager() {
  static DeviceManager manager;
  return manager;
}

std::vector<std::shared_ptr<DeviceInfo>> DeviceManager::enumerateDevices(SyncPattern, int numIpus,
                                                                         DeviceType type,
                                                                         DeviceConnectionType,
                                                                         int tilesPerIPU) {
  if (type == DeviceType::Cpu) return {createCpuDevice()};
  std::vector<std::shared_ptr<DeviceInfo>> out;
  if (type != DeviceType::Ipu) return out;
  auto devices = poplar::DeviceManager::createDeviceManager().getDevices(
      poplar::TargetType::IPU, static_cast<unsigned>(numIpus));
  for (poplar::Device& device : devices) {
    const bool all = tilesPerIPU == 0;
    out.push_back(std::make_shared<DeviceInfo>(
        type,
        all ? std::move(device) : device.createVirtualDevice(static_cast<unsigned>(tilesPerIPU))));
  }
  return out;
}

std::shared_ptr<DeviceInfo> DeviceManager::tryAcquireAvailableDevice(
    int numIpus, int tilesPerIPU, SyncPattern pattern, DeviceConnectionType connectionType,
    DeviceSelectionCriterion) {
  for (const auto& device :
       enumerateDevices(pattern, numIpus, DeviceType::Ipu, connectionType, tilesPerIPU))
    if (device->attach()) return device;
  return nullptr;
}

std::shared_ptr<DeviceInfo> DeviceManager::acquireAvailableDevice(
    int numIpus, int tilesPerIPU, SyncPattern pattern, DeviceConnectionType connectionType,
    DeviceSelectionCriterion criterion) {
  auto device = tryAcquireAvailableDevice(numIpus, tilesPerIPU, pattern, connectionType, criterion);
  if (device == nullptr)
    throw error(
        "DeviceManager::acquireAvailableDevice: expected {} free IPUs, got none: there are "
        "emulated ones where POPSNN_EMULATE_IPU is set",
        numIpus);
  return device;
}

std::shared_ptr<DeviceInfo> DeviceManager::createCpuDevice() {
  return std::make_shared<DeviceInfo>(DeviceType::Cpu, poplar::Device::createCPUDevice());
}

std::shared_ptr<DeviceInfo> DeviceManager::createIpuModelDevice(
    const std::map<std::string, std::string>& options) {
  const auto version = options.find("ipuVersion");
  poplar::IPUModel model(version == options.end() ? "ipu2" : version->second.c_str());
  model.tilesPerIPU = 4;  // as PopART's own
  for (const auto& option : options) {
    const bool known = option.first == "numIPUs" || option.first == "tilesPerIPU" ||
                       option.first == "ipuVersion" || option.first == "compileIPUCode";
    if (!known)
      throw error("DeviceManager::createIpuModelDevice: expected a known option, got '{}'",
                  option.first);
    if (option.first == "numIPUs") model.numIPUs = numberOf(option);
    if (option.first == "tilesPerIPU") model.tilesPerIPU = numberOf(option);
    if (option.first == "compileIPUCode") model.compileIPUCode = flagOf(option);
  }
  return std::make_shared<DeviceInfo>(DeviceType::IpuModel, model.createDevice());
}

}  // namespace popart
