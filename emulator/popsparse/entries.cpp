#include "entries.hpp"

#include <algorithm>
#include <numeric>
#include <poputil/exceptions.hpp>
#include <string>

namespace popsparse {

using poputil::poplibs_error;
using Indices = std::vector<std::size_t>;

namespace {

void fail(const char* format, const std::string& what) {
  throw poplibs_error(std::string(format) + " Validation failed: " + what);
}

void checkIndices(const char* format, const char* name, const Indices& indices, std::size_t block,
                  std::size_t bound) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::string at = std::string(name) + " indices :" + std::to_string(indices[i]) +
                           " at index " + std::to_string(i);
    if (indices[i] % block != 0) fail(format, at + " is not a multiple of block size");
    if (indices[i] >= bound) fail(format, at + " exceeds bound");
  }
}

void checkBlocks(const char* format, const Block& b, std::size_t rows, std::size_t columns) {
  if (b.getBlockSize() == 0 || rows % b.getNumRowsInBlock() != 0) {
    fail(format, "number of rows must be an integral multiple of the rows in a block");
  }
  if (columns % b.getNumColumnsInBlock() != 0) {
    fail(format, "number of columns must be an integral multiple of the columns in a block");
  }
}

// Of a compressed format: where each line of blocks begins.
void checkOffsets(const char* format, const char* name, const Indices& offsets, std::size_t lines,
                  std::size_t values, std::size_t area) {
  if (offsets.size() != lines + 1) {
    fail(format, "number of " + std::string(name) +
                     " indices must be equal to 1 more than number of block " + name + "s");
  }
  if (offsets.back() != values || !std::is_sorted(offsets.begin(), offsets.end())) {
    fail(format,
         "number of NZ values must match last entry in the " + std::string(name) + " indices");
  }
  for (const std::size_t offset : offsets) {
    if (offset % area != 0) {
      fail(format, std::string(name) + " indices :" + std::to_string(offset) +
                       " is not a multiple of block size");
    }
  }
}

// Orders blocks by row and then by column; `at(i, r, c)` is a value of block i.
template <class At>
Entries ordered(const Indices& rows, const Indices& columns, const Block& b, const At& at) {
  Indices order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return rows[i] != rows[j] ? rows[i] < rows[j] : columns[i] < columns[j];
  });
  Entries out;
  for (const std::size_t i : order) {
    out.rows.push_back(rows[i] / b.getNumRowsInBlock());
    out.columns.push_back(columns[i] / b.getNumColumnsInBlock());
    for (std::size_t r = 0; r < b.getNumRowsInBlock(); ++r) {
      for (std::size_t c = 0; c < b.getNumColumnsInBlock(); ++c) {
        out.values.push_back(static_cast<double>(at(i, r, c)));
      }
    }
  }
  return out;
}

// The line of every block of a compressed format.
Indices linesOf(const Indices& offsets, std::size_t block, std::size_t area) {
  Indices out;
  for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
    out.insert(out.end(), (offsets[line + 1] - offsets[line]) / area, line * block);
  }
  return out;
}

}  // namespace

template <typename T>
Entries entriesOf(const COOMatrix<T>& m, std::size_t rows, std::size_t columns) {
  checkBlocks("COO", m, rows, columns);
  const std::size_t area = m.getBlockSize(), wide = m.getNumColumnsInBlock();
  if (m.columnIndices.size() != m.rowIndices.size()) {
    fail("COO", "number of column indices must be equal to number of row entries");
  }
  if (m.columnIndices.size() * area != m.nzValues.size()) {
    fail("COO", "product of number of indices and block size must be equal to number of nz values");
  }
  checkIndices("COO", "row", m.rowIndices, m.getNumRowsInBlock(), rows);
  checkIndices("COO", "column", m.columnIndices, wide, columns);
  return ordered(m.rowIndices, m.columnIndices, m,
                 [&](std::size_t i, std::size_t r, std::size_t c) {
                   return m.nzValues[i * area + r * wide + c];
                 });
}

template <typename T>
Entries entriesOf(const CSRMatrix<T>& m, std::size_t rows, std::size_t columns) {
  checkBlocks("CSR", m, rows, columns);
  const std::size_t area = m.getBlockSize(), wide = m.getNumColumnsInBlock();
  checkOffsets("CSR", "row", m.rowIndices, rows / m.getNumRowsInBlock(), m.nzValues.size(), area);
  checkIndices("CSR", "column", m.columnIndices, wide, columns);
  if (m.columnIndices.size() * area != m.nzValues.size()) {
    fail("CSR", "number of column indices must be equal to number of blocks");
  }
  return ordered(linesOf(m.rowIndices, m.getNumRowsInBlock(), area), m.columnIndices, m,
                 [&](std::size_t i, std::size_t r, std::size_t c) {
                   return m.nzValues[i * area + r * wide + c];
                 });
}

template <typename T>
Entries entriesOf(const CSCMatrix<T>& m, std::size_t rows, std::size_t columns) {
  checkBlocks("CSC", m, rows, columns);
  const std::size_t area = m.getBlockSize(), high = m.getNumRowsInBlock();
  checkOffsets("CSC", "column", m.columnIndices, columns / m.getNumColumnsInBlock(),
               m.nzValues.size(), area);
  checkIndices("CSC", "row", m.rowIndices, high, rows);
  if (m.rowIndices.size() * area != m.nzValues.size()) {
    fail("CSC", "number of row indices must be equal to number of blocks");
  }
  return ordered(m.rowIndices, linesOf(m.columnIndices, m.getNumColumnsInBlock(), area), m,
                 [&](std::size_t i, std::size_t r, std::size_t c) {
                   return m.nzValues[i * area + c * high + r];
                 });
}

template <typename T>
COOMatrix<T> toCOO(const Entries& entries, const Layout& layout) {
  Indices rows = entries.rows, columns = entries.columns;
  for (std::size_t& r : rows) r *= layout.block[0];
  for (std::size_t& c : columns) c *= layout.block[1];
  return {layout.rows, layout.columns, std::vector<T>(entries.values.begin(), entries.values.end()),
          columns,     rows,           layout.block};
}

template <typename T>
CSRMatrix<T> toCSR(const Entries& entries, const Layout& layout) {
  const COOMatrix<T> coo = toCOO<T>(entries, layout);
  Indices offsets(layout.rows / layout.block[0] + 1, 0);
  for (const std::size_t r : entries.rows) offsets[r + 1] += layout.area();
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return {layout.rows, layout.columns, coo.nzValues, coo.columnIndices, offsets, layout.block};
}

template <typename T>
CSCMatrix<T> toCSC(const Entries& entries, const Layout& layout) {
  const std::size_t high = layout.block[0], wide = layout.block[1], area = layout.area();
  Indices order(entries.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return entries.columns[i] < entries.columns[j];
  });
  std::vector<T> values;
  Indices rows, offsets(layout.columns / wide + 1, 0);
  for (const std::size_t i : order) {
    rows.push_back(entries.rows[i] * high);
    offsets[entries.columns[i] + 1] += area;
    for (std::size_t c = 0; c < wide; ++c) {
      for (std::size_t r = 0; r < high; ++r) {
        values.push_back(static_cast<T>(entries.values[i * area + r * wide + c]));
      }
    }
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return {layout.rows, layout.columns, values, offsets, rows, layout.block};
}

#define POPSPARSE_INSTANTIATE(T)                                             \
  template Entries entriesOf(const COOMatrix<T>&, std::size_t, std::size_t); \
  template Entries entriesOf(const CSRMatrix<T>&, std::size_t, std::size_t); \
  template Entries entriesOf(const CSCMatrix<T>&, std::size_t, std::size_t); \
  template COOMatrix<T> toCOO(const Entries&, const Layout&);                \
  template CSRMatrix<T> toCSR(const Entries&, const Layout&);                \
  template CSCMatrix<T> toCSC(const Entries&, const Layout&);
POPSPARSE_INSTANTIATE(float)
POPSPARSE_INSTANTIATE(double)

}  // namespace popsparse
