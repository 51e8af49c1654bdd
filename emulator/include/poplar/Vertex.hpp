// The types of codelets: Vertex and its variants, edges (Input, Output, InOut), vectors.
//
// A vertex object is never constructed. The runtime allocates zeroed memory and fills each field by
// the offset that popc found, so these layouts are part of the runtime's contract:
//
//   Input<T>, Output<T>, InOut<T>, T scalar            { T* ptr }
//   Vector<T, SPAN or SHORT_SPAN>, and an edge of it   { T* data; unsigned size }
//   Vector<T, other layout>, and an edge of it         { T* data }
//   Vector<Input<T>, L>, Vector<Input<Vector<..>>, L>  as Vector: data points at an array of edges
//   Input<VectorList<T, L>>, any L                     { T* const* rows; const unsigned* sizes;
//                                                        unsigned size }
//   T scalar outside an edge (vertex state)            T
#ifndef POPLAR_VERTEX_HPP
#define POPLAR_VERTEX_HPP

#include <cstddef>
#include <type_traits>

#include "AvailableVTypes.h"
#include "HalfFloat.hpp"
#include "VectorLayout.hpp"

// Attributes of vertices for the device's compiler.
#define WORKER_ALIGN
#define NO_INSTRUMENT

namespace poplar {

class Vertex {};

// compute() is called once and starts the workers by itself.
class SupervisorVertex : public Vertex {};

// compute(workerId) is called once for each worker; the workers share all fields.
class MultiVertex : public Vertex {
 public:
  static constexpr unsigned numWorkers() { return 6; }
};

template <bool isSupervisor>
using SupervisorVertexIf = typename std::conditional<isSupervisor, SupervisorVertex, Vertex>::type;

namespace detail {

// half converts to float, and so does an edge of it: a value takes one such step at most.
template <typename Edge, typename T>
class EdgeOfHalf {};
#ifdef __POPC__
template <typename Edge>
class EdgeOfHalf<Edge, half> {
 public:
  operator float() const { return **static_cast<const Edge*>(this); }
};
#endif

template <typename T>
class SizedView {
 public:
  using value_type = typename std::remove_cv<T>::type;

  T& operator[](std::size_t i) const { return data_[i]; }
  T* data() const { return data_; }
  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  T& front() const { return data_[0]; }
  T& back() const { return data_[size_ - 1]; }

 protected:
  T* data_;
  unsigned size_;
};

template <typename T>
class UnsizedView {
 public:
  using value_type = typename std::remove_cv<T>::type;

  T& operator[](std::size_t i) const { return data_[i]; }
  T* data() const { return data_; }

 protected:
  T* data_;
};

template <typename T, VectorLayout L>
using View = typename std::conditional<L == VectorLayout::SPAN || L == VectorLayout::SHORT_SPAN,
                                       SizedView<T>, UnsizedView<T>>::type;

template <typename T>
class Row : public SizedView<T> {
 public:
  Row(T* data, unsigned size) {
    this->data_ = data;
    this->size_ = size;
  }
};

template <typename T>
class ListView {
 public:
  using value_type = Row<T>;

  Row<T> operator[](std::size_t i) const { return Row<T>(rows_[i], sizes_[i]); }
  unsigned size() const { return size_; }

 private:
  T* const* rows_;
  const unsigned* sizes_;
  unsigned size_;
};

}  // namespace detail

// As a field: state, filled by setInitialValue. As the argument of an edge: a 1-D edge. Holding
// edges: a 2-D one. Element access does not depend on the constness of the vector.
template <typename T, VectorLayout L = VectorLayout::SPAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class Vector : public detail::View<T, L> {
  static_assert(sizeof(T) != 0, "elements, too, must be complete for popc");
};

// Argument of an edge: rows that need be neither contiguous nor equal in length.
template <typename T, VectorListLayout L = VectorListLayout::COMPACT_DELTAN,
          unsigned MinAlign = alignof(T), bool Interleaved = false>
class VectorList : public detail::ListView<T> {};

namespace detail {

// The three edges differ in one thing: whether the elements are const.
template <typename T>
class ScalarEdge : public EdgeOfHalf<ScalarEdge<T>, typename std::remove_const<T>::type> {
 public:
  operator T&() const { return *ptr_; }
  const ScalarEdge& operator=(const T& value) const {  // of an edge in a list of edges, too
    *ptr_ = value;
    return *this;
  }
  T& operator*() const { return *ptr_; }
  T* operator->() const { return ptr_; }

 private:
  T* ptr_;
};

// `*edge` and `edge->` give the vector itself. VectorT is the vector as declared: asking for its
// size makes the compiler describe it in full to popc.
template <typename VectorT, typename ViewT>
class VectorEdge : public ViewT {
  static_assert(sizeof(VectorT) == sizeof(ViewT), "an edge is laid out as its vector");

 public:
  const ViewT& operator*() const { return *this; }
  const ViewT* operator->() const { return this; }
};

template <typename T>
struct ReadEdge {
  using type = ScalarEdge<const T>;
};
template <typename T, VectorLayout L, unsigned A, bool I>
struct ReadEdge<Vector<T, L, A, I>> {
  using type = VectorEdge<Vector<T, L, A, I>, View<const T, L>>;
};
template <typename T, VectorListLayout L, unsigned A, bool I>
struct ReadEdge<VectorList<T, L, A, I>> {
  using type = VectorEdge<VectorList<T, L, A, I>, ListView<const T>>;
};

template <typename T>
struct WriteEdge {
  using type = ScalarEdge<T>;
};
template <typename T, VectorLayout L, unsigned A, bool I>
struct WriteEdge<Vector<T, L, A, I>> {
  using type = VectorEdge<Vector<T, L, A, I>, View<T, L>>;
};
template <typename T, VectorListLayout L, unsigned A, bool I>
struct WriteEdge<VectorList<T, L, A, I>> {
  using type = VectorEdge<VectorList<T, L, A, I>, ListView<T>>;
};

}  // namespace detail

template <typename T>
class Input : public detail::ReadEdge<T>::type {};

template <typename T>
class Output : public detail::WriteEdge<T>::type {
 public:
  using detail::WriteEdge<T>::type::operator=;
};

template <typename T>
class InOut : public detail::WriteEdge<T>::type {
 public:
  using detail::WriteEdge<T>::type::operator=;
};

}  // namespace poplar

#endif  // POPLAR_VERTEX_HPP
