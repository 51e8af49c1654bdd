#pragma once
#include <atomic>
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

// Whether a device, and every virtual one made from it, is attached. IPUs are attached to one
// holder of the process at a time; `taken` is theirs, null for a model or a CPU, which a holder
// makes for itself.
struct Attachment {
  explicit Attachment(std::atomic<bool>* ipus) : taken(ipus) {}
  ~Attachment() { detach(); }
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;

  bool attach() {
    if (attached || (taken != nullptr && taken->exchange(true))) return false;
    return attached = true;
  }
  void detach() {
    if (attached && taken != nullptr) *taken = false;
    attached = false;
  }

  std::atomic<bool>* taken;
  bool attached = false;
};

struct DeviceData {
  unsigned id;
  Target target;
  std::shared_ptr<Attachment> attachment;
  uint64_t loads = 0;  // of engines, so far
};

Target makeTarget(const IPUModel& model, TargetType type, bool accurate_half);

}  // namespace emulator
}  // namespace poplar
