#ifndef popart_shardingplan_hpp
#define popart_shardingplan_hpp

#include <cstdint>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
enum class ShardingMethod { DynamicShard = 0, StaticShard, Loop };

enum class ShardTensorType { Slice = 0, Offset };

using ShardIdMap = std::map<TensorId, std::vector<TensorId>>;

class ShardTensorInfo {
 public:
  ShardTensorInfo() { emulator::missing("popart::ShardTensorInfo"); }
  ShardTensorInfo(TensorId, TensorInfo, std::vector<TensorInfo>) {
    emulator::missing("popart::ShardTensorInfo");
  }
  ShardTensorInfo(TensorId, TensorInfo, std::vector<TensorInfo>, ShardTensorType) {
    emulator::missing("popart::ShardTensorInfo");
  }
  TensorId id;
  TensorInfo info;
  std::vector<TensorInfo> infos;
  ShardTensorType type;
};

using ShardInfoMap = std::map<TensorId, ShardTensorInfo>;

class ShardOpSettings {
 public:
  Op::Settings getPreSetting() const {
    emulator::missing("popart::ShardOpSettings::getPreSetting");
  }
  Op::Settings getPostSetting() const {
    emulator::missing("popart::ShardOpSettings::getPostSetting");
  }
  bool hasPreSetting() const { emulator::missing("popart::ShardOpSettings::hasPreSetting"); }
  bool hasPostSetting() const { emulator::missing("popart::ShardOpSettings::hasPostSetting"); }
  const std::vector<Op::Settings>& getShardSettings() const {
    emulator::missing("popart::ShardOpSettings::getShardSettings");
  }
  void setPreSettings(Op::Settings) {
    emulator::missing("popart::ShardOpSettings::setPreSettings");
  }
  void setShardSettings(std::vector<Op::Settings>) {
    emulator::missing("popart::ShardOpSettings::setShardSettings");
  }
  void setPostSettings(Op::Settings) {
    emulator::missing("popart::ShardOpSettings::setPostSettings");
  }
};

class ShardingPlan {
 public:
  ShardingPlan(ShardingMethod, ShardOpSettings = ShardOpSettings()) {
    emulator::missing("popart::ShardingPlan");
  }
  ShardingPlan(ShardingMethod, const ShardIdMap&, Graph&, ShardOpSettings = ShardOpSettings()) {
    emulator::missing("popart::ShardingPlan");
  }
  ShardingPlan(ShardingMethod, const ShardInfoMap&, ShardOpSettings = ShardOpSettings()) {
    emulator::missing("popart::ShardingPlan");
  }
  bool canDynamicShard() const { emulator::missing("popart::ShardingPlan::canDynamicShard"); }
  bool canLoop() const { emulator::missing("popart::ShardingPlan::canLoop"); }
  ShardingMethod getMethod() const { emulator::missing("popart::ShardingPlan::getMethod"); }
  ShardIdMap getIdMap() const { emulator::missing("popart::ShardingPlan::getIdMap"); }
  ShardInfoMap getInfoMap() const { emulator::missing("popart::ShardingPlan::getInfoMap"); }
  void insertIdMap(const ShardIdMap&, Graph&) {
    emulator::missing("popart::ShardingPlan::insertIdMap");
  }
  void insertInfoMap(const ShardInfoMap&) {
    emulator::missing("popart::ShardingPlan::insertInfoMap");
  }
  const ShardOpSettings& getOpSettings() const {
    emulator::missing("popart::ShardingPlan::getOpSettings");
  }
  void setOpSettings(ShardOpSettings) { emulator::missing("popart::ShardingPlan::setOpSettings"); }
  int64_t getTotalNumShards() const {
    emulator::missing("popart::ShardingPlan::getTotalNumShards");
  }
  void setTotalNumShards(int64_t) { emulator::missing("popart::ShardingPlan::setTotalNumShards"); }
};

}  // namespace popart

#endif  // popart_shardingplan_hpp
