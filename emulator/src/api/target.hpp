#pragma once
#include <cstdint>
#include <memory>
#include <poplar/Device.hpp>
#include <poplar/IPUModel.hpp>
#include <string>
#include <vector>

namespace poplar {
namespace emulator {

// Cycles between the first and the last tile that a sync reaches.
constexpr unsigned kSyncSpread = 10;

struct TargetData {
  TargetType type = TargetType::CPU;
  std::string system;
  IPUModel model;
  bool accurate_half = false;
  unsigned maxIPUSyncDelay = 0;
  std::vector<unsigned> memoryElementOffsets;
  OptionFlags options;
};

struct DeviceData {
  unsigned id;
  Target target;
  bool attached;
  uint64_t loads = 0;  // of engines, so far
};

Target makeTarget(const IPUModel& model, TargetType type, bool accurate_half);

}  // namespace emulator
}  // namespace poplar
