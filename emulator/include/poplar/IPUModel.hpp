#ifndef poplar_IPUModel_hpp
#define poplar_IPUModel_hpp

#include <limits>
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <string>
#include <utility>
#include <vector>

namespace poplar {

/// Data that goes from one IPU to another.
struct GlobalExchangeFlow {
  GlobalExchangeFlow(unsigned src_, unsigned dst_) : src(src_), dst(dst_) {}
  unsigned src, dst;
};

/// The bits that pass in a second, of all flows together.
struct GlobalExchangeConstraint {
  GlobalExchangeConstraint(double bandwidth_, std::vector<GlobalExchangeFlow> flows_)
      : bandwidth(bandwidth_), flows(std::move(flows_)) {}
  double bandwidth;
  std::vector<GlobalExchangeFlow> flows;
};

/// Parameters of a modelled IPU. Every member may be changed before createDevice().
struct IPUModel {
  enum class RelativeSyncDelayType { AUTO, NO_DELAY };

  std::string IPUVersion;
  unsigned numIPUs;
  unsigned tilesPerSuperTile;
  unsigned tilesPerIPU;
  unsigned numWorkerContexts;
  unsigned memoryBytesPerTile;
  unsigned tileClockFrequency;  // Hz
  double exchangeBytesPerCycle;
  unsigned memcpyBytesPerCycle;
  unsigned instructionBytes;
  bool supportsSuperTileSendReceive;
  unsigned interleavedMemoryElementIndex;
  unsigned minIPUSyncDelay;
  unsigned globalSyncCycles;
  /// Taken as in the SDK: the cycles of exchanges between IPUs do not depend on them here.
  std::vector<GlobalExchangeConstraint> globalExchangeConstraints;
  RelativeSyncDelayType relativeSyncDelay;
  /// Without an IPU's code no tile's memory is laid out, so that a graph fits whatever its tiles
  /// hold. Code itself is never compiled for models here.
  bool compileIPUCode;

  explicit IPUModel(const char* version = "ipu2");

  Device createDevice(OptionFlags options = {}, bool accurateHalf = false,
                      unsigned id = std::numeric_limits<unsigned>::max()) const;
};

}  // namespace poplar

#endif  // poplar_IPUModel_hpp
