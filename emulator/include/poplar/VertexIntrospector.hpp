#ifndef poplar_VertexIntrospector_hpp
#define poplar_VertexIntrospector_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <vector>

namespace poplar {

namespace emulator {
struct FieldFacts;
struct VertexFacts;
}  // namespace emulator

/// Layouts of vectors as estimators name them.
namespace layout {
enum class Vector { NotAVector, Span, ShortSpan, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128 };
enum class VectorList {
  NotAVector,
  OnePtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  DeltaN,
  DeltaNElements
};
}  // namespace layout

/// One row of a field with rows.
class SubFieldInfo {
 public:
  explicit SubFieldInfo(std::size_t size) : size_(size) {}
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
};

/// A field, as an estimator sees it.
class FieldInfo {
 public:
  explicit FieldInfo(const emulator::FieldFacts& facts) : facts_(&facts) {}

  /// Elements of a scalar or a vector; rows of a field with rows.
  std::size_t size() const;
  /// Row `i`; throws `index_error` where there is none.
  SubFieldInfo operator[](std::size_t i) const;
  Type getType() const;

  /// The value of a scalar of state; throws `poplar_error` for other fields.
  template <class T>
  T getInitialValue(const Target&) const {
    T value;
    read(false, Type(TypeTraits<T>::code), &value);
    return value;
  }
  /// The values of a vector of state; throws `poplar_error` for other fields.
  template <class T>
  std::vector<T> getInitialValues(const Target&) const {
    std::vector<Value<T>> values(stateSize());
    if (!values.empty()) read(true, Type(TypeTraits<T>::code), &values[0]);
    std::vector<T> out;
    for (const Value<T>& v : values) out.push_back(v.value);
    return out;
  }

  /// Of the outer (0) or the inner (1) vector of a field with rows; 0 elsewhere.
  layout::Vector getProfilerVectorLayout(std::size_t dimension) const;
  layout::VectorList getProfilerVectorListLayout() const;

 private:
  // std::vector<bool> has no elements to point at.
  template <class T>
  struct Value {
    T value;
  };
  std::size_t stateSize() const;
  void read(bool vector, Type type, void* out) const;
  const emulator::FieldFacts* facts_;
};

/// A vertex as its estimator sees it. Valid during the call.
class VertexIntrospector {
 public:
  explicit VertexIntrospector(const emulator::VertexFacts& facts) : facts_(&facts) {}

  /// Throws `unknown_field` for a name that the vertex lacks.
  FieldInfo getFieldInfo(StringRef name) const;

 private:
  const emulator::VertexFacts* facts_;
};

}  // namespace poplar

#endif  // poplar_VertexIntrospector_hpp
