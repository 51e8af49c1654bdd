#ifndef poplar_IPUModel_hpp
#define poplar_IPUModel_hpp

#include <limits>
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <string>

namespace poplar {

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
  RelativeSyncDelayType relativeSyncDelay;
  bool compileIPUCode;

  explicit IPUModel(const char* version = "ipu2");

  Device createDevice(OptionFlags options = {}, bool accurateHalf = false,
                      unsigned id = std::numeric_limits<unsigned>::max()) const;
};

}  // namespace poplar

#endif  // poplar_IPUModel_hpp
