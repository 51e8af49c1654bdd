#include "conv_plan.hpp"

#include <algorithm>
#include <limits>
#include <poplin/ConvUtil.hpp>

#include "../cycles.hpp"

namespace poplin {

using poplar::Interval;
using Range = std::pair<unsigned, unsigned>;

namespace {

std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

Interval part(std::size_t n, std::size_t parts, std::size_t i) {
  return Interval(n * i / parts, n * (i + 1) / parts);
}

std::size_t product(const std::vector<std::size_t>& shape) {
  std::size_t out = 1;
  for (const std::size_t n : shape) out *= n;
  return out;
}

// Elements of one index into a dimension.
std::size_t rowSize(std::vector<std::size_t> shape, unsigned dim) {
  if (!shape.empty()) shape[dim] = 1;
  return product(shape);
}

std::uint64_t pairs(const ConvParams& p, unsigned dim, Range outputs) {
  std::uint64_t out = 0;
  for (unsigned k = 0; k < p.kernelShape[dim]; ++k) {
    for (unsigned o = outputs.first; o < outputs.second; ++o) {
      out += getInputIndex(dim, o, k, p) != ~0U ? 1 : 0;
    }
  }
  return out;
}

}  // namespace

std::uint64_t fieldProducts(const ConvParams& p, unsigned dim, const Interval& rows) {
  std::uint64_t out = 1;
  for (unsigned d = 0; d < p.getNumFieldDims(); ++d) {
    out *= pairs(p, d,
                 d == dim
                     ? Range(static_cast<unsigned>(rows.begin()), static_cast<unsigned>(rows.end()))
                     : Range(0, static_cast<unsigned>(p.getOutputSize(d))));
  }
  return out;
}

std::uint64_t convCycles(const poplar::Type& type, std::uint64_t products) {
  return kStartCycles + ceilDivide(products, productsPerCycle(type));
}

ConvPlan::ConvPlan(const poplar::Target& target, const ConvParams& p) : params(p) {
  const std::size_t tiles = target.getNumTiles();
  const std::vector<std::size_t> field = p.getOutputFieldShape();
  if (!field.empty()) {
    dim = static_cast<unsigned>(std::max_element(field.begin(), field.end()) - field.begin());
  }
  const double kernel = static_cast<double>(product(p.kernelShape)),
               in = static_cast<double>(p.inputChannelsPerConvGroup),
               row = static_cast<double>(rowSize(field, dim)),
               input_row = static_cast<double>(rowSize(p.inputFieldShape, dim)),
               input_rows = static_cast<double>(field.empty() ? 1 : p.inputFieldShape[dim]);
  double best = std::numeric_limits<double>::max();
  for (std::size_t c = 1;
       c <= std::min(std::max<std::size_t>(p.outputChannelsPerConvGroup, 1), tiles); ++c) {
    for (std::size_t r = 1; r <= std::min(std::max<std::size_t>(outputRows(), 1), tiles / c); ++r) {
      const std::size_t left = tiles / (c * r);
      const std::size_t g = std::min(std::max<std::size_t>(p.numConvGroups, 1), left);
      const std::size_t n = std::min(std::max<std::size_t>(p.batchSize, 1), left / g);
      const double each_g = static_cast<double>(ceilDivide(p.numConvGroups, g)),
                   each_n = static_cast<double>(ceilDivide(p.batchSize, n)),
                   each_c = static_cast<double>(ceilDivide(p.outputChannelsPerConvGroup, c)),
                   each_r = static_cast<double>(ceilDivide(outputRows(), r));
      const double products = each_g * each_n * each_c * each_r * row * in * kernel;
      const double reads =
          each_g * in *
          (each_n * input_row * ceilDivide(static_cast<std::size_t>(input_rows), r) +
           each_c * kernel);
      const double cost = products / static_cast<double>(productsPerCycle(p.inputType)) + reads;
      if (cost < best) {
        best = cost;
        groups = g;
        samples = n;
        channels = c;
        rows = r;
      }
    }
  }
}

std::size_t ConvPlan::outputRows() const {
  return params.getNumFieldDims() == 0 ? 1 : params.getOutputSize(dim);
}

ConvPlan::Block ConvPlan::block(std::size_t i) const {
  return {part(params.numConvGroups, groups, i / (rows * channels * samples)),
          part(params.batchSize, samples, i / (rows * channels) % samples),
          part(params.outputChannelsPerConvGroup, channels, i / rows % channels),
          part(outputRows(), rows, i % rows)};
}

Interval ConvPlan::inputRows(const Interval& outputs) const {
  if (params.getNumFieldDims() == 0) return Interval(0, 1);
  const Range range = getInputRange(
      dim, Range(static_cast<unsigned>(outputs.begin()), static_cast<unsigned>(outputs.end())),
      params);
  return Interval(range.first, range.second);
}

std::uint64_t ConvPlan::products() const {
  const Block b = block(blocks() - 1);  // ranges are rounded down at their begin
  return b.groups.size() * b.samples.size() * b.channels.size() * params.inputChannelsPerConvGroup *
         fieldProducts(params, dim, b.rows);
}

std::uint64_t ConvPlan::bytes(const poplar::Target& target) const {
  const Block b = block(blocks() - 1);
  const std::size_t in = b.samples.size() * params.inputChannelsPerConvGroup *
                         inputRows(b.rows).size() * rowSize(params.inputFieldShape, dim),
                    weights = b.channels.size() * params.inputChannelsPerConvGroup *
                              product(params.kernelShape),
                    out = b.samples.size() * b.channels.size() * b.rows.size() *
                          rowSize(params.getOutputFieldShape(), dim);
  return b.groups.size() * ((in + weights) * target.getTypeSize(params.inputType) +
                            out * target.getTypeSize(poplar::FLOAT));
}

std::uint64_t ConvPlan::cycles() const { return convCycles(params.inputType, products()); }

}  // namespace poplin
