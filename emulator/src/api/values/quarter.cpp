// Numbers of 8 bits on the host, and the metadata of tensors of them.
#include <cmath>
#include <limits>
#include <poplar/Graph.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplar/emulator/QuarterBits.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "api/types.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void notQuarter(const char* operation, Type type) {
  throw type_error(text(operation, ": expected a tensor of type quarter, got ", type));
}

[[noreturn]] void metadataExpected(const char* operation, Type type) {
  throw type_error(text(operation, ": metadata: expected one element of quarter_metadata for type ",
                        type, ", got another tensor"));
}

[[noreturn]] void noMetadataExpected(const char* operation, Type type) {
  throw type_error(text(operation, ": expected a type with metadata, got ", type));
}

[[noreturn]] void severalMetadata() {
  throw poplar_error(
      "Tensor::getMetadata: expected elements that share their metadata, got a tensor of several");
}

}  // namespace

}  // namespace errors

namespace {

constexpr int kMinScale = -32, kMaxScale = 31;

}  // namespace

void convertElements(const Type& from, const void* source, const Type& to, void* destination,
                     size_t n) {
  convert(from, source, to, destination, n);
}

double fromQuarter(const QuarterMetadata& metadata, uint8_t bits) {
  return quarterToDouble(QuarterFormat::of(metadata.getBinary()), bits);
}

uint8_t toQuarter(const QuarterMetadata& metadata, double value, bool nanoo) {
  return quarterFromDouble(QuarterFormat::of(metadata.getBinary()), value, nanoo);
}

QuarterMetadata bestScale(const double* values, size_t n, QuarterMetadata::Format format) {
  QuarterMetadata best(format, 0);
  double least = std::numeric_limits<double>::infinity();
  // Outwards from 0, so that of equal scales the one nearest to it is taken.
  for (int i = 0; i <= 2 * kMaxScale + 2; ++i) {
    const int scale = i % 2 == 0 ? -i / 2 : (i + 1) / 2;
    if (scale < kMinScale || scale > kMaxScale) continue;
    const QuarterMetadata metadata(format, scale);
    double error = 0;
    for (size_t k = 0; k < n; ++k) {
      const double difference =
          fromQuarter(metadata, toQuarter(metadata, values[k], false)) - values[k];
      if (!std::isnan(difference)) error += difference * difference;
    }
    if (error < least) {
      least = error;
      best = metadata;
    }
  }
  return best;
}

ViewPtr metadataOf(GraphData& data, const View& v) {
  ViewPtr shared;
  forEachRun(v, [&](uint32_t var, size_t, size_t) {
    ViewPtr& metadata = data.variable(var).metadata;
    if (!metadata) {  // nobody asked for it before: its own, F143 with scale 0
      const uint32_t id = data.addVariable(QUARTER_METADATA, 1, "metadata", false);
      data.variable(id).tiles.set(0, 1, 1, 0);
      auto ranges = std::make_shared<RangeList>();
      ranges->append(id, 0, 1);
      data.variable(var).metadata = makeDense(QUARTER_METADATA, data.id, std::move(ranges), {});
    }
    const ViewPtr& found = data.variable(var).metadata;
    if (shared && !(Access::tensor(shared) == Access::tensor(found))) errors::severalMetadata();
    shared = found;
  });
  return shared;
}

}  // namespace emulator

using emulator::Access;
using emulator::View;

namespace errors = emulator::errors;

Tensor Tensor::getMetadata() const {
  if (!hasMetadata()) return Tensor();
  const View& v = *view_;
  const std::shared_ptr<emulator::GraphData> data = emulator::findGraph(v.graph);
  const emulator::ViewPtr out = data ? emulator::metadataOf(*data, v) : nullptr;
  return out ? Access::tensor(out) : Tensor();
}

void Tensor::associateMetadata(const Tensor& metadata) {
  constexpr const char* kOperation = "Tensor::associateMetadata";
  const View& v = Access::view(*this, kOperation);
  if (!hasMetadata()) errors::notQuarter(kOperation, v.type);
  Graph::checkMetadata(kOperation, v.type, metadata);
  const std::shared_ptr<emulator::GraphData> data = emulator::findGraph(v.graph);
  if (!data || Access::view(metadata, kOperation).graph != v.graph) errors::otherGraph(kOperation);
  forEachRun(v, [&](uint32_t var, size_t, size_t) {
    data->changesVariable(var);
    data->variable(var).metadata = Access::pointer(metadata);
  });
}

void Graph::checkMetadata(const char* operation, const Type& type, const Tensor& metadata) {
  if (!type.requiresMetadata()) {
    if (metadata.valid()) errors::noMetadataExpected(operation, type);
    return;
  }
  if (!metadata.valid() || metadata.elementType() != QUARTER_METADATA ||
      metadata.numElements() != 1) {
    errors::metadataExpected(operation, type);
  }
}

}  // namespace poplar
