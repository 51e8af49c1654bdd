#include <functional>
#include <numeric>
#include <poputil/exceptions.hpp>
#include <string>

#include "windows.hpp"

namespace popnn {
namespace pooling {

using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;

namespace {

// One dimension: for each position of the output, the positions that its window covers.
std::vector<std::vector<unsigned>> windows(const PoolParams& p, std::size_t output,
                                           std::size_t dim) {
  std::vector<std::vector<unsigned>> out(output);
  const long long size = static_cast<long long>(p.inputFieldShape[dim]),
                  lower = p.inputTruncationOrPaddingLower[dim],
                  upper = p.inputTruncationOrPaddingUpper[dim];
  for (std::size_t o = 0; o < output; ++o) {
    for (std::size_t k = 0; k < p.kernelShape[dim]; ++k) {
      const long long i = static_cast<long long>(o * p.stride[dim] + k) - lower;
      const bool truncated = (lower < 0 && i < -lower) || (upper < 0 && i >= size + upper);
      if (i >= 0 && i < size && !truncated) out[o].push_back(static_cast<unsigned>(i));
    }
  }
  return out;
}

template <class T>
void print(std::ostream& o, const char* name, const std::vector<T>& values) {
  o << "  " << name << "={";
  for (std::size_t i = 0; i < values.size(); ++i) o << (i == 0 ? "" : ",") << values[i];
  o << "}\n";
}

// An operation for each element of each window, and one more for the division of an average.
std::uint64_t flops(const PoolParams& p, const std::vector<std::vector<unsigned>>& rows) {
  std::uint64_t count = 0;
  for (const auto& row : rows) {
    if (!row.empty()) count += row.size() + (p.poolingType == PoolingType::AVG ? 1 : 0);
  }
  return count * p.batchSize * p.numChannels;
}

}  // namespace

std::size_t positions(const Shape& field) {
  return std::accumulate(field.begin(), field.end(), std::size_t{1}, std::multiplies<>());
}

void checkParams(const PoolParams& p) {
  const std::size_t dims = p.inputFieldShape.size();
  if (p.kernelShape.size() != dims || p.stride.size() != dims ||
      p.inputTruncationOrPaddingLower.size() != dims ||
      p.inputTruncationOrPaddingUpper.size() != dims) {
    throw poplibs_error("Mismatched window dimensions on poplibs pool operation");
  }
  for (std::size_t d = 0; d < dims; ++d) {
    const long long padded = static_cast<long long>(p.inputFieldShape[d]) +
                             p.inputTruncationOrPaddingLower[d] +
                             p.inputTruncationOrPaddingUpper[d];
    if (p.stride[d] == 0) throw poplibs_error("pool: expected strides above 0, got 0");
    if (p.kernelShape[d] == 0 || padded < static_cast<long long>(p.kernelShape[d])) {
      throw poplibs_error("pool: expected a kernel of 1 to " + std::to_string(padded) +
                          ", the padded field, in dimension " + std::to_string(d) + ", got " +
                          std::to_string(p.kernelShape[d]));
    }
  }
}

std::vector<std::vector<unsigned>> windows(const PoolParams& p) {
  const Shape field = p.getOutputFieldShape();
  std::vector<std::vector<unsigned>> out(1, {0});
  for (std::size_t d = 0; d < field.size(); ++d) {
    const auto along = windows(p, field[d], d);
    std::vector<std::vector<unsigned>> next;
    next.reserve(out.size() * along.size());
    for (const auto& outer : out) {
      for (const auto& inner : along) {
        std::vector<unsigned> window;
        for (const unsigned o : outer) {
          for (const unsigned i : inner) {
            window.push_back(o * static_cast<unsigned>(p.inputFieldShape[d]) + i);
          }
        }
        next.push_back(std::move(window));
      }
    }
    out = std::move(next);
  }
  return out;
}

std::vector<std::vector<unsigned>> coverings(const PoolParams& p) {
  std::vector<std::vector<unsigned>> out(positions(p.inputFieldShape));
  const auto all = windows(p);
  for (std::size_t o = 0; o < all.size(); ++o) {
    for (const unsigned i : all[o]) out[i].push_back(static_cast<unsigned>(o));
  }
  return out;
}

Shape PoolParams::getOutputFieldShape() const {
  checkParams(*this);
  Shape out;
  for (std::size_t d = 0; d < inputFieldShape.size(); ++d) {
    const long long padded = static_cast<long long>(inputFieldShape[d]) +
                             inputTruncationOrPaddingLower[d] + inputTruncationOrPaddingUpper[d];
    out.push_back((static_cast<std::size_t>(padded) - kernelShape[d]) / stride[d] + 1);
  }
  return out;
}

Shape getOutputFieldShape(const PoolParams& params) { return params.getOutputFieldShape(); }

const char* asString(const PoolingType& method) {
  return method == PoolingType::MAX ? "max" : method == PoolingType::AVG ? "avg" : "sum";
}

std::ostream& operator<<(std::ostream& o, const PoolParams& p) {
  o << "{ poolingType=" << asString(p.poolingType) << '\n';
  print(o, "inputFieldShape", p.inputFieldShape);
  print(o, "kernelShape", p.kernelShape);
  print(o, "stride", p.stride);
  print(o, "inputTruncationOrPaddingLower", p.inputTruncationOrPaddingLower);
  print(o, "inputTruncationOrPaddingUpper", p.inputTruncationOrPaddingUpper);
  return o << "  numChannels=" << p.numChannels << "\n  batchSize=" << p.batchSize
           << "\n  dType=" << p.dType.toString() << " }\n";
}

std::uint64_t getFwdFlops(const PoolParams& params) { return flops(params, windows(params)); }

std::uint64_t getBwdFlops(const PoolParams& params) { return flops(params, coverings(params)); }

double getFwdPerfectCycleCount(const poplar::Graph& graph, const PoolParams& params) {
  const poplar::Target& target = graph.getTarget();
  const double each_cycle = static_cast<double>(target.getDataPathWidth()) /
                            static_cast<double>(8 * target.getTypeSize(params.dType)) *
                            target.getNumTiles();
  return static_cast<double>(getFwdFlops(params)) / each_cycle;
}

double getBwdPerfectCycleCount(const poplar::Graph& graph, const PoolParams& params) {
  return 2 * getFwdPerfectCycleCount(graph, params);
}

}  // namespace pooling
}  // namespace popnn
