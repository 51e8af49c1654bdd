#include <cmath>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/MatMulParams.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <tuple>

namespace popsparse {

using poputil::poplibs_error;

namespace dynamic {

namespace {

void checkRatio(double ratio) {
  if (ratio < 0.0 || ratio > 1.0) {
    throw poplibs_error("Non-zero ratio (" + std::to_string(ratio) +
                        ") must be in range [0.0,1.0] but is not");
  }
}

// The largest ratio that stands for `values` of `total`; throws where there are more.
double ratioOf(std::size_t values, std::size_t total, const std::string& shape) {
  if (values > total) {
    throw poplibs_error("Number of non-zero elements (" + std::to_string(values) +
                        ") exceeds maximum possible for given dense matrix dimensions (" + shape +
                        ")");
  }
  double ratio = total == 0 ? 0 : static_cast<double>(values) / static_cast<double>(total);
  while (std::ceil(ratio * static_cast<double>(total)) > static_cast<double>(values)) {
    ratio = std::nextafter(ratio, 0.0);  // where rounding made it too large
  }
  return ratio;
}

std::size_t valuesOf(double ratio, std::size_t total) {
  return static_cast<std::size_t>(std::ceil(ratio * static_cast<double>(total)));
}

auto key(const SparsityParams& p) {
  return std::make_tuple(p.type, p.structure, p.blockDimensions);
}

}  // namespace

std::ostream& operator<<(std::ostream& os, const SparsityType& t) {
  return os << (t == SparsityType::Element ? "Element" : "Block");
}

std::ostream& operator<<(std::ostream& os, const SparsityStructure&) {
  return os << "Unstructured";
}

std::ostream& operator<<(std::ostream& os, const SparsityParams& p) {
  os << "{type: " << p.type << ", structure: " << p.structure;
  if (p.type == SparsityType::Block) {
    os << ", block dimensions: [" << p.blockDimensions[0] << "," << p.blockDimensions[1] << "] ";
  }
  return os << "}";
}

bool operator<(const SparsityParams& a, const SparsityParams& b) { return key(a) < key(b); }
bool operator==(const SparsityParams& a, const SparsityParams& b) { return key(a) == key(b); }
bool operator!=(const SparsityParams& a, const SparsityParams& b) { return !(a == b); }

FullyConnectedParams FullyConnectedParams::createWithNzRatio(const SparsityParams& sparsityParams,
                                                             double nzRatio, std::size_t batchSize,
                                                             std::size_t numGroups,
                                                             std::size_t inputChannels,
                                                             std::size_t outputChannels) {
  checkRatio(nzRatio);
  FullyConnectedParams p;
  p.sparsityParams = sparsityParams;
  p.nzRatio = nzRatio;
  p.batchSize = batchSize;
  p.numGroups = numGroups;
  p.inputChannelsPerGroup = inputChannels;
  p.outputChannelsPerGroup = outputChannels;
  return p;
}

FullyConnectedParams FullyConnectedParams::createWithNumNonZeroValues(
    const SparsityParams& sparsityParams, std::size_t numNonZeroElems, std::size_t batchSize,
    std::size_t numGroups, std::size_t inputChannels, std::size_t outputChannels) {
  const double ratio =
      ratioOf(numNonZeroElems, numGroups * inputChannels * outputChannels,
              (numGroups > 1 ? std::to_string(numGroups) + "x" : "") +
                  std::to_string(outputChannels) + "x" + std::to_string(inputChannels));
  return createWithNzRatio(sparsityParams, ratio, batchSize, numGroups, inputChannels,
                           outputChannels);
}

double FullyConnectedParams::getNzRatio() const { return nzRatio; }

std::size_t FullyConnectedParams::getNumNonZeroValues() const {
  return valuesOf(nzRatio, numGroups * inputChannelsPerGroup * outputChannelsPerGroup);
}

bool operator<(const FullyConnectedParams& a, const FullyConnectedParams& b) {
  return std::tie(a.sparsityParams, a.nzRatio, a.batchSize, a.numGroups, a.inputChannelsPerGroup,
                  a.outputChannelsPerGroup) < std::tie(b.sparsityParams, b.nzRatio, b.batchSize,
                                                       b.numGroups, b.inputChannelsPerGroup,
                                                       b.outputChannelsPerGroup);
}
bool operator==(const FullyConnectedParams& a, const FullyConnectedParams& b) {
  return !(a < b) && !(b < a);
}
bool operator!=(const FullyConnectedParams& a, const FullyConnectedParams& b) { return !(a == b); }

std::ostream& operator<<(std::ostream& os, const FullyConnectedParams& p) {
  return os << "{sparsity: " << p.getSparsityParams() << ",\n sparsity ratio: " << p.getNzRatio()
            << ",\n batch size: " << p.getBatchSize() << ",\n no. of groups: " << p.getNumGroups()
            << ",\n input channels: " << p.getInputChannelsPerGroup()
            << ",\n output channels: " << p.getOutputChannelsPerGroup() << "}";
}

MatMulParams MatMulParams::createWithNzRatio(const SparsityParams& sparsityParams, double nzRatio,
                                             std::size_t groups, std::size_t m, std::size_t k,
                                             std::size_t n) {
  checkRatio(nzRatio);
  MatMulParams p;
  p.sparsityParams = sparsityParams;
  p.nzRatio = nzRatio;
  p.groups = groups;
  p.m = m;
  p.k = k;
  p.n = n;
  return p;
}

MatMulParams MatMulParams::createWithNumNonZeroValues(const SparsityParams& sparsityParams,
                                                      std::size_t numNonZeroElems,
                                                      std::size_t groups, std::size_t m,
                                                      std::size_t k, std::size_t n) {
  const double ratio = ratioOf(numNonZeroElems, groups * m * k,
                               (groups > 1 ? std::to_string(groups) + "x" : "") +
                                   std::to_string(m) + "x" + std::to_string(k));
  return createWithNzRatio(sparsityParams, ratio, groups, m, k, n);
}

double MatMulParams::getNzRatio() const { return nzRatio; }

std::size_t MatMulParams::getNumNonZeroValues() const { return valuesOf(nzRatio, groups * m * k); }

bool operator<(const MatMulParams& a, const MatMulParams& b) {
  return std::tie(a.sparsityParams, a.nzRatio, a.groups, a.m, a.k, a.n) <
         std::tie(b.sparsityParams, b.nzRatio, b.groups, b.m, b.k, b.n);
}
bool operator==(const MatMulParams& a, const MatMulParams& b) { return !(a < b) && !(b < a); }
bool operator!=(const MatMulParams& a, const MatMulParams& b) { return !(a == b); }

std::ostream& operator<<(std::ostream& os, const MatMulParams& p) {
  return os << "{sparsity: " << p.getSparsityParams() << ",\n sparsity ratio: " << p.getNzRatio()
            << ", m: " << p.getM() << ", k: " << p.getK() << ", n: " << p.getN() << "}";
}

}  // namespace dynamic

namespace static_ {

MatMulParams MatMulParams::createForSparseDense(std::size_t groups, std::size_t m, std::size_t k,
                                                std::size_t n) {
  MatMulParams p;
  p.groups = groups;
  p.m = m;
  p.k = k;
  p.n = n;
  p.transposed = false;
  return p;
}

MatMulParams MatMulParams::createForDenseSparse(std::size_t groups, std::size_t n, std::size_t k,
                                                std::size_t m) {
  MatMulParams p = createForSparseDense(groups, m, k, n);
  p.transposed = true;
  return p;
}

bool operator<(const MatMulParams& a, const MatMulParams& b) {
  return std::tie(a.groups, a.m, a.k, a.n, a.transposed) <
         std::tie(b.groups, b.m, b.k, b.n, b.transposed);
}
bool operator==(const MatMulParams& a, const MatMulParams& b) { return !(a < b) && !(b < a); }
bool operator!=(const MatMulParams& a, const MatMulParams& b) { return !(a == b); }

std::ostream& operator<<(std::ostream& os, const MatMulParams& p) {
  if (p.isTransposed()) {
    return os << "{ dense [" << p.getN() << "," << p.getK() << "] * [" << p.getK() << ","
              << p.getM() << "] sparse }";
  }
  return os << "{ sparse [" << p.getM() << "," << p.getK() << "] * [" << p.getK() << "," << p.getN()
            << "] dense }";
}

}  // namespace static_
}  // namespace popsparse
