#ifndef poplar_Tensor_hpp
#define poplar_Tensor_hpp

#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <string>
#include <vector>

namespace poplar {

namespace emulator {
struct View;
struct Access;
}  // namespace emulator

enum class UpsampleMethod { REPEAT };

/// A range of a variable in a view.
struct VariableRef {
  unsigned id;
};
inline bool operator==(VariableRef a, VariableRef b) { return a.id == b.id; }

struct VariableInterval {
  VariableRef var;
  Interval interval;
};
inline bool operator==(const VariableInterval& a, const VariableInterval& b) {
  return a.var == b.var && a.interval == b.interval;
}

/// A view of elements of variables, of any shape; a small value that copies cheaply. Elements are
/// in row-major order. Shape `{}` is a scalar: one element.
class Tensor {
 public:
  Tensor() {}

  Type elementType() const;
  std::size_t dim(unsigned dimension) const;
  std::vector<std::size_t> shape() const;
  unsigned rank() const;
  std::size_t numElements() const;
  bool valid() const { return view_ != nullptr; }
  /// Whether the elements are adjacent and ascending in one variable.
  bool isContiguous() const;
  bool containsAliases() const;
  bool containsConstant() const;
  /// Whether the tensor is one element of a constant, whose value `*value` is set to then.
  template <class T>
  bool getConstantValue(T* value) const {
    return readConstant(Type(emulator::HostType<T>::code), value);
  }
  bool isParallelWriteable() const { return !containsAliases() && !containsConstant(); }

  Tensor operator[](std::size_t i) const;
  Tensor slice(std::size_t begin, std::size_t end, unsigned dimension = 0) const;
  Tensor slice(const Interval& region, unsigned dimension = 0) const {
    return slice(region.begin(), region.end(), dimension);
  }
  /// Slices the leading dimensions, one for each element of `begin` and `end`.
  Tensor slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const;
  Tensor index(ArrayRef<std::size_t> indices) const;
  std::vector<Tensor> slices(ArrayRef<Interval> intervals, unsigned dimension = 0) const;
  /// One slice of size 1 for each index.
  std::vector<Tensor> slices(ArrayRef<unsigned> indices, unsigned dimension = 0) const;
  /// One tensor for each list of intervals: its slices, concatenated.
  std::vector<Tensor> slices(const std::vector<std::vector<Interval>>& intervals,
                             unsigned dimension = 0) const;

  Tensor flatten() const;
  /// Makes dimensions [dimBegin, dimEnd) one; an empty range inserts a dimension of size 1.
  Tensor flatten(unsigned dimBegin, unsigned dimEnd) const;
  Tensor reshape(ArrayRef<std::size_t> shape) const;
  Tensor reshapePartial(unsigned beginIndex, unsigned endIndex,
                        ArrayRef<std::size_t> newDims) const;
  /// Inserts a dimension of size 1 before each of `indices`, which count the present dimensions.
  Tensor expand(ArrayRef<std::size_t> indices) const;
  /// Removes the named dimensions, which have size 1.
  Tensor squeeze(ArrayRef<std::size_t> indices) const;

  Tensor dimShuffle(ArrayRef<unsigned> permutation) const;
  Tensor dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const;
  Tensor dimRoll(unsigned dimIdx, unsigned newIdx = 0) const;
  Tensor transpose() const;
  Tensor reverse(unsigned dimension) const;

  /// Repeats the whole tensor N times along a dimension; the repeats alias.
  Tensor broadcast(unsigned N, unsigned dimension) const;
  Tensor subSample(unsigned stride, unsigned dimension) const;
  Tensor upsample(unsigned scale, unsigned dimension, UpsampleMethod method) const;

  /// The same bytes as another type of the same size.
  Tensor reinterpret(const Type& type) const;

  /// Intervals of the flattened view whose elements are adjacent in one variable.
  std::vector<Interval> getContiguousRegions() const;
  std::vector<VariableInterval> getVarRegions() const;

  /// The format and scale of 8-bit floating point elements: a tensor of QUARTER_METADATA with one
  /// element, which the variables of the elements share; an empty tensor for other types.
  bool hasMetadata() const { return view_ && elementType().requiresMetadata(); }
  Tensor getMetadata() const;
  void associateMetadata(const Tensor& metadata);

  std::string shapeToString() const;
  std::string getDebugStr() const;
  std::string getVarStr() const { return getDebugStr(); }
  void dump(std::ostream& out) const;
  void dump() const;

  bool operator==(const Tensor& other) const;
  bool operator!=(const Tensor& other) const { return !(*this == other); }

 private:
  friend struct emulator::Access;
  bool readConstant(Type type, void* value) const;
  explicit Tensor(std::shared_ptr<const emulator::View> view) : view_(std::move(view)) {}
  std::shared_ptr<const emulator::View> view_;
};

Tensor concat(ArrayRef<Tensor> tensors, unsigned dimension = 0);
inline Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension = 0) {
  const Tensor both[] = {first, second};
  return concat(ArrayRef<Tensor>(both), dimension);
}
/// Adds `element`, of one dimension less, at the end of a dimension of `t`.
Tensor append(const Tensor& t, const Tensor& element, unsigned dimension);
inline Tensor append(const Tensor& t, const Tensor& element) { return append(t, element, 0); }

std::ostream& operator<<(std::ostream& out, const Tensor& t);

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::VariableRef> {
  size_t operator()(poplar::VariableRef v) const noexcept { return v.id; }
};
}  // namespace std

#endif  // poplar_Tensor_hpp
