#ifndef popart_popx_devicexmanager_hpp
#define popart_popx_devicexmanager_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/devicemanager.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/error.hpp>
#include <popart/logging.hpp>
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>
#include <poplar/TargetType.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {
namespace popx {

class Devicex;
class DevicexManager {
 public:
  DevicexManager() { emulator::missing("popart::popx::DevicexManager"); }
  std::shared_ptr<DeviceInfo> getDevice(SyncPattern, uint32_t, DeviceConnectionType) {
    emulator::missing("popart::popx::DevicexManager::getDevice");
  }
  void enumerate(std::vector<std::shared_ptr<popart::DeviceInfo>>&, unsigned int, SyncPattern,
                 DeviceType, DeviceConnectionType, uint32_t) {
    emulator::missing("popart::popx::DevicexManager::enumerate");
  }
  std::shared_ptr<popart::DeviceInfo> createHostDevice(popart::DeviceType,
                                                       const std::map<std::string, std::string>&,
                                                       SyncPattern = SyncPattern::Full) {
    emulator::missing("popart::popx::DevicexManager::createHostDevice");
  }
  std::shared_ptr<DeviceInfo> createOfflineIpuFromDeviceInfo(const DeviceInfo&) {
    emulator::missing("popart::popx::DevicexManager::createOfflineIpuFromDeviceInfo");
  }
  std::shared_ptr<DeviceInfo> createOfflineIpuFromSystemString(const std::string&, uint32_t) {
    emulator::missing("popart::popx::DevicexManager::createOfflineIpuFromSystemString");
  }
};

class DevicexInfo : public popart::DeviceInfo {
 public:
  DevicexInfo(popart::DeviceType, popart::DeviceConnectionType, poplar::Device&,
              const poplar::OptionFlags&)
      : popart::DeviceInfo(
            emulator::absent<DeviceType>("popart::popx::DevicexInfo"),
            std::move(emulator::absent<poplar::Device>("popart::popx::DevicexInfo"))) {}
  bool attach() { emulator::missing("popart::popx::DevicexInfo::attach"); }
  void detach() { emulator::missing("popart::popx::DevicexInfo::detach"); }
  int getNumIpus() const { emulator::missing("popart::popx::DevicexInfo::getNumIpus"); }
  int getTilesPerIPU() const { emulator::missing("popart::popx::DevicexInfo::getTilesPerIPU"); }
  int getNumWorkerContexts() const {
    emulator::missing("popart::popx::DevicexInfo::getNumWorkerContexts");
  }
  std::vector<unsigned int> getDriverIds() const {
    emulator::missing("popart::popx::DevicexInfo::getDriverIds");
  }
  const poplar::Device& getDevice() const {
    emulator::missing("popart::popx::DevicexInfo::getDevice");
  }
  const poplar::Target& getTarget() const {
    emulator::missing("popart::popx::DevicexInfo::getTarget");
  }
  std::string getIpuVersion() const {
    emulator::missing("popart::popx::DevicexInfo::getIpuVersion");
  }
  bool isAttached() const { emulator::missing("popart::popx::DevicexInfo::isAttached"); }
  virtual void setMostRecentlyLoaded(Devicex*) {
    emulator::missing("popart::popx::DevicexInfo::setMostRecentlyLoaded");
  }
  virtual bool isMostRecentlyLoaded(const Devicex*) const {
    emulator::missing("popart::popx::DevicexInfo::isMostRecentlyLoaded");
  }
};

class DevicexCpuInfo : public DevicexInfo {
 public:
  DevicexCpuInfo(poplar::Device&)
      : DevicexInfo(emulator::absent<popart::DeviceType>("popart::popx::DevicexCpuInfo"),
                    emulator::absent<popart::DeviceConnectionType>("popart::popx::DevicexCpuInfo"),
                    emulator::absent<poplar::Device>("popart::popx::DevicexCpuInfo"),
                    emulator::absent<const poplar::OptionFlags>("popart::popx::DevicexCpuInfo")) {}
  int getId() const { return 0; }
  std::vector<int> getChildIds() const {
    emulator::missing("popart::popx::DevicexCpuInfo::getChildIds");
  }
  std::string getVersion() const { return "<unknown-cpu>"; }
};

class DevicexSimInfo : public DevicexInfo {
 public:
  DevicexSimInfo(poplar::Device&)
      : DevicexInfo(emulator::absent<popart::DeviceType>("popart::popx::DevicexSimInfo"),
                    emulator::absent<popart::DeviceConnectionType>("popart::popx::DevicexSimInfo"),
                    emulator::absent<poplar::Device>("popart::popx::DevicexSimInfo"),
                    emulator::absent<const poplar::OptionFlags>("popart::popx::DevicexSimInfo")) {}
  int getId() const { return 0; }
  std::vector<int> getChildIds() const {
    emulator::missing("popart::popx::DevicexSimInfo::getChildIds");
  }
  std::string getVersion() const { return "<unknown-sim>"; }
};

class DevicexIpuModelInfo : public DevicexInfo {
 public:
  DevicexIpuModelInfo(poplar::Device&, const std::string)
      : DevicexInfo(
            emulator::absent<popart::DeviceType>("popart::popx::DevicexIpuModelInfo"),
            emulator::absent<popart::DeviceConnectionType>("popart::popx::DevicexIpuModelInfo"),
            emulator::absent<poplar::Device>("popart::popx::DevicexIpuModelInfo"),
            emulator::absent<const poplar::OptionFlags>("popart::popx::DevicexIpuModelInfo")) {}
  int getId() const { return 0; }
  std::vector<int> getChildIds() const {
    emulator::missing("popart::popx::DevicexIpuModelInfo::getChildIds");
  }
  std::string getVersion() const {
    emulator::missing("popart::popx::DevicexIpuModelInfo::getVersion");
  }
};

class DevicexIpuInfo : public DevicexInfo {
 public:
  DevicexIpuInfo(popart::DeviceConnectionType, int, poplar::Device&, const poplar::OptionFlags&)
      : DevicexInfo(emulator::absent<popart::DeviceType>("popart::popx::DevicexIpuInfo"),
                    emulator::absent<popart::DeviceConnectionType>("popart::popx::DevicexIpuInfo"),
                    emulator::absent<poplar::Device>("popart::popx::DevicexIpuInfo"),
                    emulator::absent<const poplar::OptionFlags>("popart::popx::DevicexIpuInfo")) {}
  int getId() const { emulator::missing("popart::popx::DevicexIpuInfo::getId"); }
  std::vector<int> getChildIds() const {
    emulator::missing("popart::popx::DevicexIpuInfo::getChildIds");
  }
  std::string getVersion() const { emulator::missing("popart::popx::DevicexIpuInfo::getVersion"); }
};

class DevicexOfflineIpuInfo : public popart::DeviceInfo {
 public:
  DevicexOfflineIpuInfo(poplar::Target&, const poplar::OptionFlags&)
      : popart::DeviceInfo(
            emulator::absent<DeviceType>("popart::popx::DevicexOfflineIpuInfo"),
            std::move(emulator::absent<poplar::Device>("popart::popx::DevicexOfflineIpuInfo"))) {}
  bool attach() { emulator::missing("popart::popx::DevicexOfflineIpuInfo::attach"); }
  void detach() { emulator::missing("popart::popx::DevicexOfflineIpuInfo::detach"); }
  int getId() const { return 0; }
  std::vector<int> getChildIds() const {
    emulator::missing("popart::popx::DevicexOfflineIpuInfo::getChildIds");
  }
  std::string getVersion() const { return "<offline-ipu>"; }
  int getNumIpus() const { emulator::missing("popart::popx::DevicexOfflineIpuInfo::getNumIpus"); }
  int getTilesPerIPU() const {
    emulator::missing("popart::popx::DevicexOfflineIpuInfo::getTilesPerIPU");
  }
  int getNumWorkerContexts() const {
    emulator::missing("popart::popx::DevicexOfflineIpuInfo::getNumWorkerContexts");
  }
  std::string getIpuVersion() const {
    emulator::missing("popart::popx::DevicexOfflineIpuInfo::getIpuVersion");
  }
  std::vector<unsigned int> getDriverIds() const {
    emulator::missing("popart::popx::DevicexOfflineIpuInfo::getDriverIds");
  }
  const poplar::Target& getTarget() const {
    emulator::missing("popart::popx::DevicexOfflineIpuInfo::getTarget");
  }
  bool isAttached() const { return false; }
};

inline popart::DeviceType convertDeviceType(poplar::TargetType) {
  emulator::missing("popart::popx::convertDeviceType");
}

inline poplar::TargetType convertDeviceType(popart::DeviceType) {
  emulator::missing("popart::popx::convertDeviceType");
}

inline void addSyncConfig(const SyncPattern, poplar::OptionFlags&) {
  emulator::missing("popart::popx::addSyncConfig");
}

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_devicexmanager_hpp
