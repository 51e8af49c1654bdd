#ifndef poplar_Device_hpp
#define poplar_Device_hpp

#include <memory>
#include <poplar/Target.hpp>

namespace poplar {

namespace emulator {
struct DeviceData;
struct Access;
}  // namespace emulator

/// Something that an Engine can be loaded onto. A device is moved, never copied: one holder has it.
class Device {
 public:
  Device();
  explicit Device(std::shared_ptr<emulator::DeviceData> data);
  Device(Device&&) = default;
  Device& operator=(Device&&) = default;

  unsigned getId() const;
  const Target& getTarget() const;
  /// Takes the device; false where it is attached, also where another Device has the same IPUs.
  bool attach() const;
  void detach() const;
  bool isAttached() const;
  bool supportsRemoteBuffers() const;
  std::vector<int> getDriverIDs() const;
  /// The same device seen as one with fewer tiles on each IPU: both are attached, or neither is.
  Device createVirtualDevice(unsigned tilesPerIPU) const;

  static Device createCPUDevice(unsigned numIPUs = 1);
  static Device createSimulatorDevice(const Target& target, const OptionFlags& options = {});

 private:
  friend struct emulator::Access;
  emulator::DeviceData& data() const;  // throws for a device that was moved from
  std::shared_ptr<emulator::DeviceData> data_;
};

}  // namespace poplar

#endif  // poplar_Device_hpp
