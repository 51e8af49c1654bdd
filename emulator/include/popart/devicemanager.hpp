#ifndef popart_devicemanager_hpp
#define popart_devicemanager_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <poplar/Device.hpp>
#include <poplar/Target.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

enum class DeviceType { IpuModel = 0, Cpu, Ipu, OfflineIpu, Sim };
enum class SyncPattern { Full = 0, SinglePipeline, ReplicaAndLadder };
enum class DeviceConnectionType { Always = 0, OnDemand, Never };
enum class DeviceSelectionCriterion { First = 0, Random };

std::ostream& operator<<(std::ostream& out, const DeviceType& type);

/// A device that a session runs on.
class DeviceInfo {
 public:
  DeviceInfo(DeviceType type, poplar::Device device) : type_(type), device_(std::move(device)) {}

  bool attach() { return device_.attach(); }
  void detach() { device_.detach(); }
  bool isAttached() const { return device_.isAttached(); }
  DeviceType getType() const { return type_; }
  DeviceConnectionType getConnectionType() const { return DeviceConnectionType::Always; }
  std::string toString() const;
  int getId() const { return static_cast<int>(device_.getId()); }
  int getNumIpus() const { return static_cast<int>(getTarget().getNumIPUs()); }
  int getTilesPerIPU() const { return static_cast<int>(getTarget().getTilesPerIPU()); }
  int getNumWorkerContexts() const { return static_cast<int>(getTarget().getNumWorkerContexts()); }
  std::string getIpuVersion() const { return getTarget().getTargetArchString(); }
  const poplar::Target& getTarget() const { return device_.getTarget(); }
  const poplar::Device& getDevice() const { return device_; }

 private:
  DeviceType type_;
  poplar::Device device_;
};

/// Gives devices: a CPU, modelled IPUs, and emulated ones where poplar's DeviceManager has them.
class DeviceManager {
 public:
  static DeviceManager& createDeviceManager();

  std::vector<std::shared_ptr<DeviceInfo>> enumerateDevices(
      SyncPattern pattern = SyncPattern::Full, int numIpus = 1, DeviceType type = DeviceType::Ipu,
      DeviceConnectionType connectionType = DeviceConnectionType::Always, int tilesPerIPU = 0);
  /// Null where there is none.
  std::shared_ptr<DeviceInfo> tryAcquireAvailableDevice(
      int numIpus = 1, int tilesPerIPU = 0, SyncPattern pattern = SyncPattern::Full,
      DeviceConnectionType connectionType = DeviceConnectionType::Always,
      DeviceSelectionCriterion criterion = DeviceSelectionCriterion::First);
  /// Throws `error` where there is none.
  std::shared_ptr<DeviceInfo> acquireAvailableDevice(
      int numIpus = 1, int tilesPerIPU = 0, SyncPattern pattern = SyncPattern::Full,
      DeviceConnectionType connectionType = DeviceConnectionType::Always,
      DeviceSelectionCriterion criterion = DeviceSelectionCriterion::First);
  std::shared_ptr<DeviceInfo> createCpuDevice();
  /// Options: "numIPUs", "tilesPerIPU" (4 unless given), "ipuVersion", "compileIPUCode". Throws
  /// `error` for others.
  std::shared_ptr<DeviceInfo> createIpuModelDevice(
      const std::map<std::string, std::string>& options);
  void setOnDemandAttachTimeout(const unsigned) {}

 private:
  DeviceManager() = default;
};

}  // namespace popart

#endif  // popart_devicemanager_hpp
