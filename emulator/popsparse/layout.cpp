#include "layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <poplar/Type.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popsparse {

using namespace poplar;
using poplibs::OptionHandler;
using poplibs::OptionSpec;
using poputil::poplibs_error;

namespace {

// Values of a bucket: every tile that multiplies has a copy of it.
constexpr std::size_t kBucketValues = 16384;

// The others choose among plans of poplibs; results are the same.
double oversize(const OptionFlags& options) {
  double proportion = 0.3, memory;
  bool ignored;
  std::string constraints;
  Type partials;
  const std::map<std::string, Type> types = {{"half", HALF}, {"float", FLOAT}};
  const OptionSpec spec{
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory, 0.)},
      {"metaInfoBucketOversizeProportion", OptionHandler::createWithDouble(proportion, 0.)},
      {"doGradAPass", OptionHandler::createWithBool(ignored)},
      {"doGradWPass", OptionHandler::createWithBool(ignored)},
      {"partialsType", OptionHandler::createWithEnum(partials, types)},
      {"sharedBuckets", OptionHandler::createWithBool(ignored)},
      {"enableStructuredRearrangements", OptionHandler::createWithBool(ignored)},
      {"partitioner.optimiseForSpeed", OptionHandler::createWithBool(ignored)},
      {"partitioner.forceBucketSpills", OptionHandler::createWithBool(ignored)},
      {"partitioner.useActualWorkerSplitCosts", OptionHandler::createWithBool(ignored)},
      {"planConstraints", OptionHandler::createWithString(constraints)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  return proportion;
}

Layout makeDynamic(std::size_t groups, std::size_t rows, std::size_t columns,
                   const dynamic::SparsityParams& sparsity, double ratio,
                   const OptionFlags& options) {
  const auto& block = sparsity.blockDimensions;
  if (groups != 1) {
    throw poplibs_error("popsparse: expected one group, got " + std::to_string(groups) +
                        ", which are not emulated");
  }
  if (block[0] == 0 || block[1] == 0 || rows % block[0] != 0 || columns % block[1] != 0) {
    throw poplibs_error("popsparse: expected blocks that divide a matrix {" + std::to_string(rows) +
                        "," + std::to_string(columns) + "}, got {" + std::to_string(block[0]) +
                        "," + std::to_string(block[1]) + "}");
  }
  const std::size_t all = rows / block[0] * (columns / block[1]);
  const double room = std::ceil(static_cast<double>(all) * ratio * (1 + oversize(options)));
  return makeLayout(rows, columns, block,
                    static_cast<std::size_t>(std::min(room, static_cast<double>(all))));
}

}  // namespace

Layout makeLayout(std::size_t rows, std::size_t columns, const std::array<std::size_t, 2>& block,
                  std::size_t blocks) {
  constexpr std::size_t most = std::numeric_limits<unsigned short>::max();
  if (rows / block[0] > most || columns / block[1] > most) {
    throw poplibs_error("popsparse: expected a matrix of " + std::to_string(most) +
                        " blocks in a row and in a column at most, got " + std::to_string(rows) +
                        " rows and " + std::to_string(columns) + " columns");
  }
  blocks = std::max<std::size_t>(blocks, 1);
  const std::size_t capacity = std::min(
      blocks, std::min(most, std::max<std::size_t>(kBucketValues / (block[0] * block[1]), 1)));
  return {rows, columns, block, (blocks + capacity - 1) / capacity, capacity};
}

Layout layoutOf(const dynamic::FullyConnectedParams& params, const OptionFlags& options) {
  return makeDynamic(params.getNumGroups(), params.getOutputChannelsPerGroup(),
                     params.getInputChannelsPerGroup(), params.getSparsityParams(),
                     params.getNzRatio(), options);
}

Layout layoutOf(const dynamic::MatMulParams& params, const OptionFlags& options) {
  return makeDynamic(params.getNumGroups(), params.getM(), params.getK(),
                     params.getSparsityParams(), params.getNzRatio(), options);
}

void checkStaticOptions(const OptionFlags& options) {
  int number;
  bool flag;
  double memory;
  const OptionSpec spec{
      {"numBands", OptionHandler::createWithInteger<int>(number)},
      {"nSplit", OptionHandler::createWithInteger<int>(number)},
      {"verboseLogging", OptionHandler::createWithBool(flag)},
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory)},
      {"enablePreprocessing", OptionHandler::createWithBool(flag)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
}

std::vector<std::size_t> makeBuckets(const Layout& layout, const Entries& entries) {
  if (entries.rows.size() > layout.buckets * layout.capacity) {
    throw poplibs_error("Partitioner: expected " +
                        std::to_string(layout.buckets * layout.capacity) +
                        " blocks at most, with metaInfoBucketOversizeProportion, got " +
                        std::to_string(entries.rows.size()));
  }
  std::vector<std::size_t> out(layout.buckets * layout.bucketElements(), 0);
  for (std::size_t i = 0; i < entries.rows.size(); ++i) {
    std::size_t* const bucket = &out[i / layout.capacity * layout.bucketElements()];
    bucket[1 + bucket[0]] = entries.rows[i];
    bucket[1 + layout.capacity + bucket[0]] = entries.columns[i];
    ++bucket[0];
  }
  return out;
}

const SparseMetaData& metaDataOf(const poputil::TensorMetaData& data, const char* operation) {
  const auto* const sparse = dynamic_cast<const SparseMetaData*>(data.getData());
  if (sparse != nullptr) return *sparse;
  throw poplibs_error(std::string(operation) +
                      ": expected a sparse tensor of a create function, got another one");
}

}  // namespace popsparse
