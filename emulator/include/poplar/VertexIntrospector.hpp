#ifndef poplar_VertexIntrospector_hpp
#define poplar_VertexIntrospector_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VectorLayout.hpp>
#include <vector>

namespace poplar {

namespace emulator {
struct FieldFacts;
struct VertexFacts;
}  // namespace emulator

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
  std::size_t getSizeAtIndex(std::size_t i) const { return (*this)[i].size(); }
  Type getType() const;

  /// The value of a scalar of state; throws `poplar_error` for other fields.
  template <class T>
  T getInitialValue(const Target&) const {
    T value;
    read(false, Type(emulator::HostType<T>::code), &value);
    return value;
  }
  /// The values of a vector of state; throws `poplar_error` for other fields.
  template <class T>
  std::vector<T> getInitialValues(const Target&) const {
    return values(static_cast<T*>(nullptr));
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
  template <class T>
  std::vector<T> values(T*) const {
    std::vector<Value<T>> read_values(stateSize());
    if (!read_values.empty()) read(true, Type(emulator::HostType<T>::code), &read_values[0]);
    std::vector<T> out;
    for (const Value<T>& v : read_values) out.push_back(v.value);
    return out;
  }
  // State has no rows here: popc refuses such a field.
  template <class T>
  std::vector<std::vector<T>> values(std::vector<T>*) const {
    noRows();
  }
  [[noreturn]] void noRows() const;
  std::size_t stateSize() const;
  void read(bool vector, Type type, void* out) const;
  const emulator::FieldFacts* facts_;
};

typedef FieldInfo FieldData;

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
