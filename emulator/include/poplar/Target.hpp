#ifndef poplar_Target_hpp
#define poplar_Target_hpp

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <poplar/IeeeHalf.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/Type.hpp>
#include <vector>

namespace poplar {

namespace emulator {
struct TargetData;
struct Access;
}  // namespace emulator

enum class IpuLinkTopology { Mesh, Torus };

/// The device that a graph is built for: the number and kind of tiles.
class Target {
 public:
  Target();
  explicit Target(std::shared_ptr<const emulator::TargetData> data);
  // A move copies, so that what was moved from is a target still.
  Target(const Target&) = default;
  Target& operator=(const Target&) = default;

  TargetType getTargetType() const;
  std::string getTargetSystemString() const;
  std::string getTargetArchString() const;

  unsigned getNumTiles() const;
  unsigned getTilesPerIPU() const;
  unsigned getNumIPUs() const;
  unsigned getNumWorkerContexts() const;
  unsigned getBytesPerTile() const;
  unsigned getExchangeBytesPerCycle() const;
  unsigned getMemcpyBytesPerCycle() const;
  unsigned getMinIPUSyncDelay() const;
  unsigned getMaxIPUSyncDelay() const;
  unsigned getGlobalSyncCycles() const;
  const std::vector<unsigned>& getMemoryElementOffsets() const;
  unsigned getInterleavedMemoryElementIndex() const;
  unsigned getDataPathWidth() const;  // bits
  unsigned getAtomicStoreGranularity() const;
  unsigned getRptCountMax() const;
  unsigned getTilesPerSharedExchangeBus() const;
  bool supportsExchangeBusSharing() const;
  unsigned getTileClockFrequency() const;  // Hz
  unsigned getVectorWidth(const Type& type) const;
  unsigned getFloatVectorWidth() const;
  unsigned getHalfVectorWidth() const;
  // The units that multiply and accumulate: how many there are for a type of inputs and one of
  // partial sums (0 for a pair that they do not have), the partial sums in flight in each, the
  // inputs that they load in a cycle, and the weights that each holds.
  unsigned getNumConvUnits(const Type& inputType, const Type& partialType) const;
  unsigned getFp16InFp16OutConvUnitsPerTile() const { return getNumConvUnits(HALF, HALF); }
  unsigned getFp16InFp32OutConvUnitsPerTile() const { return getNumConvUnits(HALF, FLOAT); }
  unsigned getFp32InFp32OutConvUnitsPerTile() const { return getNumConvUnits(FLOAT, FLOAT); }
  unsigned getConvUnitMaxPipelineDepth(const Type& partialType) const;
  unsigned getConvUnitInputLoadElemsPerCycle(const Type& inputType) const;
  unsigned getFp16ConvUnitInputLoadElemsPerCycle() const {
    return getConvUnitInputLoadElemsPerCycle(HALF);
  }
  unsigned getFp32ConvUnitInputLoadElemsPerCycle() const {
    return getConvUnitInputLoadElemsPerCycle(FLOAT);
  }
  unsigned getConvUnitCoeffLoadBytesPerCycle() const;
  unsigned getWeightsPerConvUnit(const Type& inputType) const;
  unsigned getNumStrideBits() const;
  /// IPUs that links connect; the links between them are a mesh, and no gateway is there.
  unsigned getIpuLinkDomainSize() const { return getNumIPUs(); }
  IpuLinkTopology getIpuLinkTopology() const { return IpuLinkTopology::Mesh; }
  bool getGatewayMode() const { return false; }
  /// Those that createIPUTarget was given.
  const OptionFlags& getTargetOptions() const;
  std::size_t getTypeSize(const Type& type) const;
  /// The limits of an integral type, as a type of the host that has room for them.
  template <class T>
  T getTypeLimitsMaxAs(const Type& type) const {
    return static_cast<T>(getTypeLimitsMax(type));
  }
  template <class T>
  T getTypeLimitsMinAs(const Type& type) const {
    return static_cast<T>(getTypeLimitsMin(type));
  }

  static Target createCPUTarget(bool accurateHalf = false, unsigned numIPUs = 1);
  /// The options are those of a device; they change nothing here.
  static Target createIPUTarget(unsigned numIPUs, StringRef systemType,
                                const OptionFlags& options = {});
  static Target createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                                const OptionFlags& options = {});

  /// The same machine seen as `numTiles` tiles.
  Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;

  bool operator==(const Target& other) const;
  bool operator!=(const Target& other) const { return !(*this == other); }

 private:
  friend struct emulator::Access;
  std::uint64_t getTypeLimitsMax(const Type& type) const;
  std::int64_t getTypeLimitsMin(const Type& type) const;
  std::shared_ptr<const emulator::TargetData> data_;
};

namespace emulator {

// The host's memory for halves may be a buffer of bytes, at any address.
inline void storeHalf(float value, void* destination, std::size_t i) {
  const IeeeHalf h = value;
  std::memcpy(static_cast<char*>(destination) + i * sizeof(h), &h, sizeof(h));
}
inline float loadHalf(const void* source, std::size_t i) {
  IeeeHalf h;
  std::memcpy(&h, static_cast<const char*>(source) + i * sizeof(h), sizeof(h));
  return h;
}

}  // namespace emulator

/// Between numbers of the host and halves as a device stores them.
inline void copyFloatToDeviceHalf(const Target&, const float* source, void* destination,
                                  std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) emulator::storeHalf(source[i], destination, i);
}
inline void copyDeviceHalfToFloat(const Target&, const void* source, float* destination,
                                  std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float x = emulator::loadHalf(source, i);
    // The SDK's NaN has neither sign nor payload, as poplibs' tests of popfloat expect.
    destination[i] = x == x ? x : std::numeric_limits<float>::quiet_NaN();
  }
}
inline void copyDoubleToDeviceHalf(const Target&, const double* source, void* destination,
                                   std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    emulator::storeHalf(static_cast<float>(source[i]), destination, i);
  }
}
inline void copyDeviceHalfToDouble(const Target&, const void* source, double* destination,
                                   std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) destination[i] = emulator::loadHalf(source, i);
}

}  // namespace poplar

#endif  // poplar_Target_hpp
