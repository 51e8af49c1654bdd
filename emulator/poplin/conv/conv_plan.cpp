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

std::size_t product(const std::vector<std::size_t>& shape, std::size_t from) {
  std::size_t out = 1;
  for (std::size_t i = from; i < shape.size(); ++i) out *= shape[i];
  return out;
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

std::uint64_t fieldProducts(const ConvParams& p, const Interval& rows) {
  std::uint64_t out = 1;
  for (unsigned dim = 0; dim < p.getNumFieldDims(); ++dim) {
    out *= pairs(p, dim,
                 dim == 0
                     ? Range(static_cast<unsigned>(rows.begin()), static_cast<unsigned>(rows.end()))
                     : Range(0, static_cast<unsigned>(p.getOutputSize(dim))));
  }
  return out;
}

std::uint64_t convCycles(const poplar::Type& type, std::uint64_t products) {
  return kStartCycles + ceilDivide(products, productsPerCycle(type));
}

ConvPlan::ConvPlan(const poplar::Target& target, const ConvParams& p) : params(p) {
  const std::size_t tiles = target.getNumTiles();
  const std::vector<std::size_t> field = p.getOutputFieldShape();
  const double kernel = static_cast<double>(product(p.kernelShape, 0)),
               in = static_cast<double>(p.inputChannelsPerConvGroup),
               row = static_cast<double>(product(field, 1)),
               input_row = static_cast<double>(product(p.inputFieldShape, 1)),
               input_rows = static_cast<double>(field.empty() ? 1 : p.inputFieldShape[0]);
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
  return params.getNumFieldDims() == 0 ? 1 : params.getOutputSize(0);
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
      0, Range(static_cast<unsigned>(outputs.begin()), static_cast<unsigned>(outputs.end())),
      params);
  return Interval(range.first, range.second);
}

std::uint64_t ConvPlan::products() const {
  const Block b = block(blocks() - 1);  // ranges are rounded down at their begin
  return b.groups.size() * b.samples.size() * b.channels.size() * params.inputChannelsPerConvGroup *
         fieldProducts(params, b.rows);
}

std::uint64_t ConvPlan::bytes(const poplar::Target& target) const {
  const Block b = block(blocks() - 1);
  const std::size_t in = b.samples.size() * params.inputChannelsPerConvGroup *
                         inputRows(b.rows).size() * product(params.inputFieldShape, 1),
                    weights = b.channels.size() * params.inputChannelsPerConvGroup *
                              product(params.kernelShape, 0),
                    out = b.samples.size() * b.channels.size() * b.rows.size() *
                          product(params.getOutputFieldShape(), 1);
  return b.groups.size() * ((in + weights) * target.getTypeSize(params.inputType) +
                            out * target.getTypeSize(poplar::FLOAT));
}

std::uint64_t ConvPlan::cycles() const { return convCycles(params.inputType, products()); }

}  // namespace poplin
