#ifndef popart_tensorlocation_hpp
#define popart_tensorlocation_hpp

#include <popart/basicoptionals.hpp>
#include <popart/names.hpp>
#include <utility>

namespace popart {

/// Every tensor of the emulation is on the chip, on compute tiles; other locations are accepted.
enum class TensorStorage { OnChip = 0, OffChip = 1, N = 2 };
enum class TileSet { Compute = 0, IO = 1, Undefined = 2, N = 3 };
enum class CodeMemoryType { Buffer = 0, ExecutableMemory, N };
enum class ReplicatedTensorSharding { Off = 0, On = 1, N = 2 };

using VGraphIdAndTileSet = std::pair<VGraphId, TileSet>;

class TensorLocation {
 public:
  TensorLocation() = default;
  TensorLocation(TensorStorage storage_) : storage(storage_) {}
  TensorStorage storage = TensorStorage::OnChip;
  TileSet loadTileSet = TileSet::Compute;
  TileSet storageTileSet = TileSet::Compute;
  ReplicatedTensorSharding replicatedTensorSharding = ReplicatedTensorSharding::Off;
};

using OptionalCodeMemoryType = BasicOptional<CodeMemoryType, 12>;
using OptionalTensorLocation = BasicOptional<TensorLocation, 0>;

}  // namespace popart

#endif  // popart_tensorlocation_hpp
