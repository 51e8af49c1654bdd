#ifndef popsparse_MatMulParams_hpp
#define popsparse_MatMulParams_hpp

#include <cstddef>
#include <ostream>
#include <popsparse/SparsityParams.hpp>

namespace popsparse {
namespace dynamic {

/// [groups, m, k], sparse, times [groups, k, n].
class MatMulParams {
  SparsityParams sparsityParams;
  double nzRatio;
  std::size_t groups;
  std::size_t m;
  std::size_t k;
  std::size_t n;

 public:
  static MatMulParams createWithNzRatio(const SparsityParams& sparsityParams, double nzRatio,
                                        std::size_t groups, std::size_t m, std::size_t k,
                                        std::size_t n);
  static MatMulParams createWithNumNonZeroValues(const SparsityParams& sparsityParams,
                                                 std::size_t numNonZeroElems, std::size_t groups,
                                                 std::size_t m, std::size_t k, std::size_t n);

  const SparsityParams& getSparsityParams() const { return sparsityParams; }
  std::size_t getNumGroups() const { return groups; }
  std::size_t getM() const { return m; }
  std::size_t getK() const { return k; }
  std::size_t getN() const { return n; }
  double getNzRatio() const;
  std::size_t getNumNonZeroValues() const;

  friend bool operator<(const MatMulParams& a, const MatMulParams& b);
  friend bool operator==(const MatMulParams& a, const MatMulParams& b);
  friend bool operator!=(const MatMulParams& a, const MatMulParams& b);
};

std::ostream& operator<<(std::ostream& os, const MatMulParams& p);

}  // namespace dynamic

namespace static_ {

/// Sparse [groups, m, k] times [groups, k, n], or, transposed, [groups, n, k] times sparse
/// [groups, k, m].
class MatMulParams {
  std::size_t groups;
  std::size_t m;
  std::size_t k;
  std::size_t n;
  bool transposed;

 public:
  static MatMulParams createForSparseDense(std::size_t groups, std::size_t m, std::size_t k,
                                           std::size_t n);
  static MatMulParams createForDenseSparse(std::size_t groups, std::size_t n, std::size_t k,
                                           std::size_t m);

  std::size_t getNumGroups() const { return groups; }
  std::size_t getM() const { return m; }
  std::size_t getK() const { return k; }
  std::size_t getN() const { return n; }
  bool isTransposed() const { return transposed; }

  friend bool operator<(const MatMulParams& a, const MatMulParams& b);
  friend bool operator==(const MatMulParams& a, const MatMulParams& b);
  friend bool operator!=(const MatMulParams& a, const MatMulParams& b);
};

std::ostream& operator<<(std::ostream& os, const MatMulParams& p);

}  // namespace static_
}  // namespace popsparse

#endif  // popsparse_MatMulParams_hpp
