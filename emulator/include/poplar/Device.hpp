#ifndef poplar_Device_hpp
#define poplar_Device_hpp

#include <memory>
#include <poplar/Target.hpp>

namespace poplar {

namespace emulator {
struct DeviceData;
struct Access;
}  // namespace emulator

/// Something that an Engine can be loaded onto.
class Device {
 public:
  Device();
  explicit Device(std::shared_ptr<emulator::DeviceData> data);
  // A move copies, so that what was moved from is a device still.
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;

  unsigned getId() const;
  const Target& getTarget() const;
  /// Takes the device for this process; false when another holder has it.
  bool attach() const;
  void detach() const;
  bool isAttached() const;
  bool supportsRemoteBuffers() const;
  std::vector<int> getDriverIDs() const;
  /// The same device seen as one with fewer tiles on each IPU.
  Device createVirtualDevice(unsigned tilesPerIPU) const;

  static Device createCPUDevice(unsigned numIPUs = 1);
  static Device createSimulatorDevice(const Target& target, const OptionFlags& options = {});

 private:
  friend struct emulator::Access;
  std::shared_ptr<emulator::DeviceData> data_;
};

}  // namespace poplar

#endif  // poplar_Device_hpp
