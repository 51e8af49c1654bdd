// The trace of blocks and stream copies, as the buffers of the traced tiles hold it.
#pragma once
#include <cstdint>
#include <map>
#include <poplar/ProfileValue.hpp>
#include <vector>

#include "compile/image.hpp"

namespace poplar {
namespace emulator {

class BlockTrace {
 public:
  explicit BlockTrace(const Image& image) : image_(image) {}

  // `now`: the cycles that all instructions took so far.
  void begin(uint32_t block, uint64_t now);
  void end(uint32_t block, uint64_t now);
  void streamCopy(const CopyPlan& plan, const StepCost& cost, uint64_t now);
  // Blocks that an exception left are no longer open.
  void startRun();
  void clear();
  // In the order in which they began.
  ProfileValue value() const;

 private:
  enum class Kind { COMMON, STREAM_COPY, OVERFLOWN, FLUSH };
  struct Run {
    Kind kind;
    uint32_t block;    // of COMMON
    const char* type;  // of the program
    uint32_t tile;
    uint64_t from, to;
  };
  // The buffer of a tile.
  struct Buffer {
    size_t bytes = 0;
    size_t overflow = kNone;  // the run that stands for what was dropped since the last flush
  };
  struct Open {
    uint32_t block;
    std::vector<size_t> runs;  // that its end ends
  };
  static constexpr size_t kNone = SIZE_MAX;

  bool store(uint32_t tile, uint64_t now);
  uint32_t tracedTile(uint32_t ipu) const;
  void addCopy(Kind kind, uint32_t tile, const StepCost& cost, uint64_t from);
  void flush(uint64_t now);

  const Image& image_;
  std::vector<Run> runs_;
  std::map<uint32_t, Buffer> buffers_;  // by tile
  std::vector<Open> open_;
};

}  // namespace emulator
}  // namespace poplar
