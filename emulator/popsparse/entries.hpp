// Between the formats of matrices on the host and blocks in order.
#pragma once
#include <popsparse/SparseStorageFormats.hpp>

#include "layout.hpp"

namespace popsparse {

// Each throws poplibs_error where the indices do not fit a matrix of rows x columns.
template <typename T>
Entries entriesOf(const COOMatrix<T>& matrix, std::size_t rows, std::size_t columns);
template <typename T>
Entries entriesOf(const CSRMatrix<T>& matrix, std::size_t rows, std::size_t columns);
template <typename T>
Entries entriesOf(const CSCMatrix<T>& matrix, std::size_t rows, std::size_t columns);

template <typename T>
COOMatrix<T> toCOO(const Entries& entries, const Layout& layout);
template <typename T>
CSRMatrix<T> toCSR(const Entries& entries, const Layout& layout);
template <typename T>
CSCMatrix<T> toCSC(const Entries& entries, const Layout& layout);

}  // namespace popsparse
