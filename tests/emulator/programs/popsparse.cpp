#include <algorithm>
#include <popsparse/Embedding.hpp>
#include <popsparse/FullyConnected.hpp>
#include <popsparse/MatMul.hpp>
#include <popsparse/MatMulParams.hpp>
#include <popsparse/SparsePartitioner.hpp>
#include <popsparse/codelets.hpp>
#include <sstream>

#include "harness.hpp"

using namespace popsparse;
using dynamic::FullyConnectedParams;
using dynamic::SparsityParams;
using dynamic::SparsityStructure;
using dynamic::SparsityType;

// A matrix of which about one block of three is there, and its dense form on the device.
static CSRMatrix<float> matrix(Case& c, std::size_t rows, std::size_t columns, std::size_t high,
                               std::size_t wide, std::vector<double>* dense_values = nullptr) {
  const std::array<std::size_t, 2> block = {{high, wide}};
  CSRMatrix<float> m(block);
  m.numRows = rows;
  m.numColumns = columns;
  std::vector<double> dense(rows * columns, 0);
  const std::vector<double> values = numbers(rows * columns, -1, 1, false, 7);
  std::size_t n = 0;
  for (std::size_t r = 0; r < rows; r += high) {
    m.rowIndices.push_back(m.nzValues.size());
    for (std::size_t col = 0; col < columns; col += wide) {
      if ((r * 7 + col * 3 + r * col) % 8 > 2) continue;
      m.columnIndices.push_back(col);
      for (std::size_t i = 0; i < high; ++i) {
        for (std::size_t j = 0; j < wide; ++j) {
          m.nzValues.push_back(static_cast<float>(values[n]));
          dense[(r + i) * columns + col + j] = values[n++];
        }
      }
    }
  }
  m.rowIndices.push_back(m.nzValues.size());
  c.output("dense", c.input("", FLOAT, {rows, columns}, dense));
  if (dense_values) *dense_values = dense;
  return m;
}

static std::vector<double> asDoubles(const std::vector<std::size_t>& v) {
  return std::vector<double>(v.begin(), v.end());
}
static std::vector<double> asDoubles(const std::vector<float>& v) {
  return std::vector<double>(v.begin(), v.end());
}

static void write(Case& c, const dynamic::SparseTensor& t,
                  const dynamic::SparsityDataImpl<float>& data) {
  c.fill(t.getMetaInfoTensor(), asDoubles(data.metaInfo));
  c.fill(t.getNzValuesTensor(), asDoubles(data.nzValues));
}

static void dynamicMatMul(const std::string& name, const Type& type, std::size_t m, std::size_t k,
                          std::size_t n, std::size_t high, std::size_t wide) {
  Case c("dynamic " + name);
  Graph& g = c.graph;
  popsparse::addCodelets(g);
  const SparsityParams sparsity(SparsityType::Block, SparsityStructure::Unstructured,
                                {{high, wide}});
  const auto params = dynamic::MatMulParams::createWithNzRatio(sparsity, 0.4, 1, m, k, n);
  const dynamic::SparseTensor lhs = dynamic::createSparseDenseMatMulLHS(g, type, params, "lhs");
  const dynamic::Partitioner<float> partitioner(params, type, g.getTarget(), {});
  const CSRMatrix<float> csr = matrix(c, m, k, high, wide);
  write(c, lhs, partitioner.createSparsityDataImpl(csr));
  const Tensor rhs = dynamic::createSparseDenseMatMulRHS(g, type, params, "rhs");
  c.fill(rhs, numbers(k * n, -1, 1, false, 3));
  c.output("rhs", rhs);
  const Tensor other = c.input("other", type, {1, n, m}, numbers(n * m, -1, 1, false, 4));
  c.output("out", dynamic::sparseDenseMatMul(g, lhs, rhs, c.prog));
  c.output("transposed", dynamic::sparseDenseMatMul(g, lhs, other, c.prog, true, true));
  c.run();
}

static void fullyConnected(const std::string& name, const Type& type, std::size_t in,
                           std::size_t out, std::size_t batch, std::size_t high, std::size_t wide) {
  Case c("layer " + name);
  Graph& g = c.graph;
  popsparse::addCodelets(g);
  const SparsityParams sparsity(SparsityType::Element, SparsityStructure::Unstructured,
                                {{high, wide}});
  const auto params = FullyConnectedParams::createWithNzRatio(sparsity, 0.4, batch, 1, in, out);
  const OptionFlags options = {{"metaInfoBucketOversizeProportion", "0.1"}};
  const auto weights = dynamic::createFullyConnectedWeights(g, type, params, "weights", options);
  const dynamic::Partitioner<float> partitioner(params, type, g.getTarget(), options);
  const CSRMatrix<float> csr = matrix(c, out, in, high, wide);
  const auto data = partitioner.createSparsityDataImpl(csr);
  write(c, weights, data);
  const Tensor x = dynamic::createFullyConnectedInput(g, type, params, "x", options);
  c.fill(x, numbers(batch * in, -1, 1, false, 3));
  c.output("x", x);
  const Tensor gradient =
      c.input("gradient", type, {batch, out}, numbers(batch * out, -1, 1, false, 4));
  c.output("out", dynamic::fullyConnectedFwd(g, weights, x, params, c.prog, {}, options));
  c.output("dx", dynamic::fullyConnectedGradA(g, weights, gradient, params, c.prog, {}, options));
  c.output("dw", dynamic::fullyConnectedSparseGradW(g, weights.getMetaInfoTensor(), gradient, x,
                                                    params, c.prog, {}, options));
  c.output("meta", weights.getMetaInfoTensor());
  c.output("capacity",
           c.input("", UNSIGNED_INT, {}, {double(partitioner.getmetaInfoBucketElements())}));
  c.run();
}

static void staticMatMul(const std::string& name, const Type& type, std::size_t high,
                         std::size_t wide) {
  Case c("static " + name);
  Graph& g = c.graph;
  popsparse::addCodelets(g);
  const std::size_t m = 12, k = 8, n = 5;
  const auto sd = static_::MatMulParams::createForSparseDense(1, m, k, n);
  const CSRMatrix<float> csr = matrix(c, m, k, high, wide);
  const auto lhs = static_::createSparseDenseMatMulLHS(g, type, sd, csr, "lhs");
  const static_::Partitioner<float> partitioner(sd, type, g.getTarget(), {});
  c.fill(lhs.getNzValuesTensor(), asDoubles(partitioner.createSparsityDataImpl(csr).nzValues));
  const Tensor rhs = static_::createSparseDenseMatMulRHS(g, type, sd, csr, "rhs");
  c.fill(rhs, numbers(k * n, -1, 1, false, 3));
  c.output("rhs", rhs);
  c.output("out", static_::sparseDenseMatMul(g, lhs, rhs, c.prog));
  const auto ds = static_::MatMulParams::createForDenseSparse(1, n, m, k);  // [n, m] S [m, k]
  const auto right = static_::createDenseSparseMatMulRHS(g, type, ds, csr, "right");
  c.fill(right.getNzValuesTensor(), asDoubles(csr.nzValues));
  const Tensor left = static_::createDenseSparseMatMulLHS(g, type, ds, csr, "left");
  c.fill(left, numbers(n * m, -1, 1, false, 4));
  c.output("left", left);
  c.output("product", static_::denseSparseMatMul(g, left, right, c.prog));
  c.run();
}

// CSR to the device's data and back to all formats, and from each of them again.
static void formats(const std::string& name, std::size_t high, std::size_t wide) {
  Case c("formats " + name);
  const std::size_t rows = 12, columns = 8;
  const CSRMatrix<float> csr = matrix(c, rows, columns, high, wide);
  const SparsityParams sparsity(SparsityType::Block, SparsityStructure::Unstructured,
                                {{high, wide}});
  const auto params = dynamic::MatMulParams::createWithNzRatio(sparsity, 0.5, 1, rows, columns, 4);
  const dynamic::Partitioner<float> p(params, FLOAT, c.graph.getTarget(), {});
  const auto data = p.createSparsityDataImpl(csr);
  const CSRMatrix<float> back = p.sparsityDataImplToCSRMatrix(data);
  const CSCMatrix<float> csc = p.sparsityDataImplToCSCMatrix(data);
  const COOMatrix<float> coo = p.sparsityDataImplToCOOMatrix(data);
  const auto same = [&](const dynamic::SparsityDataImpl<float>& other) {
    return other.metaInfo == data.metaInfo && other.nzValues == data.nzValues ? 1.0 : 0.0;
  };
  COOMatrix<float> shuffled = coo;  // the last block first
  const std::size_t area = high * wide;
  std::rotate(shuffled.rowIndices.rbegin(), shuffled.rowIndices.rbegin() + 1,
              shuffled.rowIndices.rend());
  std::rotate(shuffled.columnIndices.rbegin(), shuffled.columnIndices.rbegin() + 1,
              shuffled.columnIndices.rend());
  std::rotate(shuffled.nzValues.rbegin(), shuffled.nzValues.rbegin() + area,
              shuffled.nzValues.rend());
  const bool equal = back.nzValues == csr.nzValues && back.columnIndices == csr.columnIndices &&
                     back.rowIndices == csr.rowIndices;
  c.output("same",
           c.input("", FLOAT, {4},
                   {same(p.createSparsityDataImpl(back)), same(p.createSparsityDataImpl(csc)),
                    same(p.createSparsityDataImpl(shuffled)), equal ? 1.0 : 0.0}));
  c.output("csc values", c.input("", FLOAT, {csc.nzValues.size()}, asDoubles(csc.nzValues)));
  c.output("csc rows",
           c.input("", UNSIGNED_INT, {csc.rowIndices.size()}, asDoubles(csc.rowIndices)));
  c.output("csc columns",
           c.input("", UNSIGNED_INT, {csc.columnIndices.size()}, asDoubles(csc.columnIndices)));
  const auto sd = static_::MatMulParams::createForSparseDense(1, rows, columns, 4);
  const static_::Partitioner<float> s(sd, FLOAT, c.graph.getTarget(), {});
  const auto values = s.createSparsityDataImpl(csc);
  const CSRMatrix<float> again = s.sparsityDataImplToCSRMatrix(values);
  c.output(
      "static",
      c.input("", FLOAT, {1},
              {again.nzValues == csr.nzValues && again.columnIndices == csr.columnIndices ? 1.0
                                                                                          : 0.0}));
  c.run();
}

static void parameters() {
  const SparsityParams element,
      block(SparsityType::Element, SparsityStructure::Unstructured, {{4, 2}});
  const auto a = FullyConnectedParams::createWithNumNonZeroValues(element, 37, 5, 1, 10, 20);
  const auto b = FullyConnectedParams::createWithNzRatio(block, 0.25, 5, 1, 10, 20);
  std::ostringstream out;
  out << a.getNumNonZeroValues() << ' ' << b.getNumNonZeroValues() << ' ' << (a == a) << (a != b)
      << (b < b) << ' ' << block;
  std::cout << "{\"error\":\"parameters\",\"text\":\"" << out.str() << "\"}\n";
  expectError("ratio",
              [&] { FullyConnectedParams::createWithNzRatio(element, 1.5, 5, 1, 10, 20); });
  expectError("values", [&] {
    dynamic::MatMulParams::createWithNumNonZeroValues(element, 201, 1, 10, 20, 5);
  });
}

static void refusals() {
  Case c("refusals");
  Graph& g = c.graph;
  const SparsityParams element;
  const auto params = dynamic::MatMulParams::createWithNzRatio(element, 0.1, 1, 12, 8, 4);
  const dynamic::Partitioner<float> p(params, FLOAT, g.getTarget(), {});
  const CSRMatrix<float> many = matrix(c, 12, 8, 1, 1);
  expectError("room", [&] { p.createSparsityDataImpl(many); });
  CSRMatrix<float> bad = many;
  bad.columnIndices[2] = 8;
  expectError("bound", [&] { p.createSparsityDataImpl(bad); });
  bad = many;
  bad.rowIndices.pop_back();
  expectError("offsets", [&] { p.createSparsityDataImpl(bad); });
  const SparsityParams block(SparsityType::Block, SparsityStructure::Unstructured, {{5, 1}});
  const auto uneven = dynamic::MatMulParams::createWithNzRatio(block, 0.1, 1, 12, 8, 4);
  expectError("blocks", [&] { dynamic::createSparseDenseMatMulLHS(g, FLOAT, uneven); });
  const auto groups = dynamic::MatMulParams::createWithNzRatio(element, 0.1, 2, 12, 8, 4);
  expectError("groups", [&] { dynamic::createSparseDenseMatMulLHS(g, FLOAT, groups); });
  const auto lhs = dynamic::createSparseDenseMatMulLHS(g, FLOAT, params);
  const Tensor x = c.input("x", FLOAT, {1, 9, 4}, {0});
  Sequence prog;
  expectError("operand", [&] { dynamic::sparseDenseMatMul(g, lhs, x, prog); });
  const dynamic::SparseTensor bare(lhs.getMetaInfoTensor(), lhs.getNzValuesTensor());
  expectError("bare", [&] { dynamic::sparseDenseMatMul(g, bare, x, prog); });
  const auto sd = static_::MatMulParams::createForSparseDense(1, 12, 8, 4);
  const auto fixed = static_::createSparseDenseMatMulLHS(g, FLOAT, sd, many, "lhs");
  expectError("transposed", [&] { static_::sparseDenseMatMul(g, fixed, x, prog, true); });
  expectError("kind", [&] { static_::createDenseSparseMatMulRHS(g, FLOAT, sd, many, "rhs"); });
  const auto layer = FullyConnectedParams::createWithNzRatio(element, 0.1, 4, 1, 8, 12);
  expectError("embedding", [&] { dynamic::createSliceTensor(g, FLOAT, layer, 3); });
}

int main() {
  dynamicMatMul("elements", FLOAT, 12, 8, 5, 1, 1);
  dynamicMatMul("half", HALF, 12, 8, 5, 1, 1);
  dynamicMatMul("blocks", FLOAT, 12, 8, 20, 4, 4);
  dynamicMatMul("oblong", FLOAT, 12, 8, 1, 2, 4);
  dynamicMatMul("buckets", FLOAT, 256, 256, 3, 1, 1);
  fullyConnected("elements", FLOAT, 10, 14, 6, 1, 1);
  fullyConnected("half blocks", HALF, 8, 12, 3, 2, 4);
  fullyConnected("buckets", FLOAT, 256, 256, 2, 1, 1);
  staticMatMul("elements", FLOAT, 1, 1);
  staticMatMul("half", HALF, 1, 1);
  staticMatMul("blocks", FLOAT, 4, 2);
  formats("elements", 1, 1);
  formats("blocks", 4, 2);
  parameters();
  refusals();
}
