#ifndef poplar_DeviceManager_hpp
#define poplar_DeviceManager_hpp

#include <algorithm>  // programs count on it for std::find_if over the devices
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <vector>

namespace poplar {

/// Lists the devices of this machine: emulated IPUs where the environment variable
/// POPSNN_EMULATE_IPU is set and not "0", and a CPU. A device's id is its index.
class DeviceManager {
 public:
  static DeviceManager createDeviceManager();
  std::size_t getNumDevices() const { return getDevices().size(); }

  std::vector<Device> getDevices(const OptionFlags& options = {}) const;
  std::vector<Device> getDevices(TargetType type, unsigned requiredNumIPUs,
                                 const OptionFlags& options = {}) const;
  Device getDevice(unsigned id, const OptionFlags& options = {}) const;
};

}  // namespace poplar

#endif  // poplar_DeviceManager_hpp
