#include "api/target.hpp"

#include <poplar/IPUModel.hpp>
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>

#include "api/options.hpp"
#include "api/types.hpp"
#include "compile/tile_map.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void unknownIpu(const std::string& version) {
  throw invalid_machine_model(
      text("IPUModel: expected 'ipu1', 'ipu2' or 'ipu21', got '", version, "'"));
}

[[noreturn]] void emptyModel(const char* operation, size_t ipus, size_t tiles, size_t workers) {
  throw invalid_machine_model(text(operation, ": expected at least one IPU, tile and worker, got ",
                                   ipus, ", ", tiles, " and ", workers));
}

[[noreturn]] void tooManyTiles(const char* operation, size_t ipus, size_t tiles) {
  throw invalid_machine_model(
      text(operation, ": expected below 2^32 - 1 tiles, got ", ipus, " IPUs of ", tiles));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::TargetData;

namespace {

// Constants of both generations.
constexpr unsigned kDataPathWidth = 64;  // bits
constexpr unsigned kAtomicStoreGranularity = 4;
constexpr unsigned kRptCountMax = 4095;
constexpr unsigned kTilesPerSharedExchangeBus = 2;

// Of the units that multiply and accumulate: poplibs' estimators and its tests of codelets count on
// 8 and 16 units, depth 4 and 8 bytes of inputs in a cycle, and on strides of 10 bits, of which
// three make a register.
constexpr unsigned kHalfConvUnits = 16, kFloatConvUnits = 8, kIpu1MixedConvUnits = 8;
constexpr unsigned kConvUnitDepth = 4, kConvUnitInputBytes = 8, kConvUnitWeightBytes = 16;
constexpr unsigned kStrideBits = 10;

// Of a tile's memory: 39 elements of 16 KiB, of which those from the 14th on are interleaved
// (poplibs tells by bit 19 of an address, and memory begins at 0x4c000); a guess for the first
// generation.
constexpr unsigned kMemoryElements = 39, kInterleavedElement = 13;
constexpr unsigned kIpu1MemoryElements = 8, kIpu1InterleavedElement = 4;

void checkModel(const char* operation, const IPUModel& m) {
  if (m.numIPUs == 0 || m.tilesPerIPU == 0 || m.numWorkerContexts == 0) {
    emulator::errors::emptyModel(operation, m.numIPUs, m.tilesPerIPU, m.numWorkerContexts);
  }
  if (size_t{m.numIPUs} * m.tilesPerIPU >= emulator::kNoTile) {
    emulator::errors::tooManyTiles(operation, m.numIPUs, m.tilesPerIPU);
  }
}

}  // namespace

std::string toString(TargetType type) {
  switch (type) {
    case TargetType::IPU:
      return "IPU";
    case TargetType::IPU_MODEL:
      return "IPU_MODEL";
    default:
      return "CPU";
  }
}

Target::Target() : Target(createCPUTarget()) {}
Target::Target(std::shared_ptr<const TargetData> data) : data_(std::move(data)) {}

TargetType Target::getTargetType() const { return data_->type; }
std::string Target::getTargetSystemString() const { return data_->system; }
std::string Target::getTargetArchString() const {
  return data_->type == TargetType::CPU ? "cpu" : data_->model.IPUVersion;
}
unsigned Target::getNumTiles() const { return data_->model.numIPUs * data_->model.tilesPerIPU; }
unsigned Target::getTilesPerIPU() const { return data_->model.tilesPerIPU; }
unsigned Target::getNumIPUs() const { return data_->model.numIPUs; }
unsigned Target::getNumWorkerContexts() const { return data_->model.numWorkerContexts; }
unsigned Target::getBytesPerTile() const { return data_->model.memoryBytesPerTile; }
unsigned Target::getExchangeBytesPerCycle() const {
  return static_cast<unsigned>(data_->model.exchangeBytesPerCycle);
}
unsigned Target::getMemcpyBytesPerCycle() const { return data_->model.memcpyBytesPerCycle; }
unsigned Target::getMinIPUSyncDelay() const { return data_->model.minIPUSyncDelay; }
unsigned Target::getMaxIPUSyncDelay() const { return data_->maxIPUSyncDelay; }
unsigned Target::getGlobalSyncCycles() const { return data_->model.globalSyncCycles; }
const std::vector<unsigned>& Target::getMemoryElementOffsets() const {
  return data_->memoryElementOffsets;
}
unsigned Target::getInterleavedMemoryElementIndex() const {
  return data_->model.interleavedMemoryElementIndex;
}
unsigned Target::getDataPathWidth() const { return kDataPathWidth; }
unsigned Target::getAtomicStoreGranularity() const {
  return data_->type == TargetType::CPU ? 1 : kAtomicStoreGranularity;
}
unsigned Target::getRptCountMax() const { return kRptCountMax; }
unsigned Target::getTilesPerSharedExchangeBus() const { return kTilesPerSharedExchangeBus; }
bool Target::supportsExchangeBusSharing() const { return data_->type != TargetType::CPU; }
unsigned Target::getTileClockFrequency() const { return data_->model.tileClockFrequency; }

unsigned Target::getVectorWidth(const Type& type) const {
  if (type == FLOAT) return 2;
  if (type == HALF) return 4;
  return 1;
}

unsigned Target::getFloatVectorWidth() const { return getVectorWidth(FLOAT); }
unsigned Target::getHalfVectorWidth() const { return getVectorWidth(HALF); }

unsigned Target::getNumConvUnits(const Type& inputType, const Type& partialType) const {
  if (partialType != FLOAT && (partialType != HALF || inputType != HALF)) return 0;
  if (inputType == FLOAT) return kFloatConvUnits;
  if (inputType != HALF) return 0;
  return getTargetArchString() == "ipu1" && partialType == FLOAT ? kIpu1MixedConvUnits
                                                                 : kHalfConvUnits;
}
unsigned Target::getConvUnitMaxPipelineDepth(const Type&) const { return kConvUnitDepth; }
unsigned Target::getConvUnitInputLoadElemsPerCycle(const Type& inputType) const {
  return kConvUnitInputBytes / static_cast<unsigned>(getTypeSize(inputType));
}
unsigned Target::getConvUnitCoeffLoadBytesPerCycle() const { return kConvUnitWeightBytes; }
unsigned Target::getWeightsPerConvUnit(const Type& inputType) const {
  return kConvUnitDepth * getConvUnitInputLoadElemsPerCycle(inputType);
}
unsigned Target::getNumStrideBits() const { return kStrideBits; }
const OptionFlags& Target::getTargetOptions() const { return data_->options; }

std::size_t Target::getTypeSize(const Type& type) const { return emulator::sizeOf(type); }

std::uint64_t Target::getTypeLimitsMax(const Type& type) const {
  return emulator::limitsOf(type, "Target::getTypeLimitsMaxAs").max;
}
std::int64_t Target::getTypeLimitsMin(const Type& type) const {
  return emulator::limitsOf(type, "Target::getTypeLimitsMinAs").min;
}

Target Target::createCPUTarget(bool accurateHalf, unsigned numIPUs) {
  auto data = std::make_shared<TargetData>();
  data->type = TargetType::CPU;
  data->system = "cpu";
  data->accurate_half = accurateHalf;
  data->model.numIPUs = numIPUs;
  data->model.tilesPerIPU = 1;
  data->model.numWorkerContexts = 1;
  data->model.memoryBytesPerTile = 0x7FFFFFFFu;
  data->memoryElementOffsets = {0};
  checkModel("Target::createCPUTarget", data->model);
  return Target(data);
}

Target Target::createIPUTarget(unsigned numIPUs, StringRef systemType, const OptionFlags& options) {
  const IPUModel model(systemType.str().c_str());
  return createIPUTarget(numIPUs, model.tilesPerIPU, systemType, options);
}

Target Target::createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                               const OptionFlags& options) {
  emulator::checkDeviceOptions("Target::createIPUTarget", options);
  IPUModel model(systemType.str().c_str());
  model.numIPUs = numIPUs;
  model.tilesPerIPU = tilesPerIPU;
  const Target target = emulator::makeTarget(model, TargetType::IPU, true);
  if (options.size() == 0) return target;
  auto data = std::make_shared<TargetData>(*target.data_);
  data->options = options;
  return Target(data);
}

Target Target::createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const {
  auto data = std::make_shared<TargetData>(*data_);
  data->model.numIPUs = numIPUs;
  data->model.tilesPerIPU = tilesPerIPU;
  checkModel("Target::createVirtualTarget", data->model);
  return Target(data);
}

bool Target::operator==(const Target& other) const {
  if (data_ == other.data_) return true;
  const IPUModel &a = data_->model, &b = other.data_->model;
  return data_->type == other.data_->type && a.IPUVersion == b.IPUVersion &&
         a.numIPUs == b.numIPUs && a.tilesPerIPU == b.tilesPerIPU &&
         a.numWorkerContexts == b.numWorkerContexts &&
         a.memoryBytesPerTile == b.memoryBytesPerTile &&
         a.tileClockFrequency == b.tileClockFrequency;
}

IPUModel::IPUModel(const char* version)
    : IPUVersion(version == nullptr ? "" : version),
      numIPUs(1),
      tilesPerSuperTile(4),
      tilesPerIPU(1472),
      numWorkerContexts(6),
      memoryBytesPerTile(638976),
      tileClockFrequency(1330000000),
      exchangeBytesPerCycle(4),
      memcpyBytesPerCycle(4),
      instructionBytes(4),
      supportsSuperTileSendReceive(false),
      interleavedMemoryElementIndex(kInterleavedElement),
      minIPUSyncDelay(5),
      globalSyncCycles(500),
      relativeSyncDelay(RelativeSyncDelayType::AUTO),
      compileIPUCode(true) {
  if (IPUVersion == "ipu1") {
    tilesPerIPU = 1216;
    interleavedMemoryElementIndex = kIpu1InterleavedElement;
    memoryBytesPerTile = 262144;
    tileClockFrequency = 1600000000;
  } else if (IPUVersion == "ipu21") {
    tileClockFrequency = 1850000000;
  } else if (IPUVersion != "ipu2") {
    emulator::errors::unknownIpu(IPUVersion);
  }
}

namespace emulator {

Target makeTarget(const IPUModel& model, TargetType type, bool accurate_half) {
  checkModel("IPUModel", model);
  auto data = std::make_shared<TargetData>();
  data->type = type;
  data->system = model.IPUVersion;
  data->model = model;
  data->accurate_half = accurate_half;
  data->maxIPUSyncDelay =
      model.minIPUSyncDelay +
      (model.relativeSyncDelay == IPUModel::RelativeSyncDelayType::AUTO ? kSyncSpread : 0);
  // Elements of equal size; the interleaved ones come last.
  const unsigned elements = model.IPUVersion == "ipu1" ? kIpu1MemoryElements : kMemoryElements;
  for (unsigned i = 0; i < elements; ++i) {
    data->memoryElementOffsets.push_back(i * (model.memoryBytesPerTile / elements));
  }
  return Target(data);
}

}  // namespace emulator
}  // namespace poplar
