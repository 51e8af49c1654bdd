#ifndef poplar_ArrayRef_hpp
#define poplar_ArrayRef_hpp

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <iterator>  // programs count on it for std::ostream_iterator
#include <vector>

namespace poplar {

/// Non-owning view of contiguous elements, for arguments that a callee only reads.
template <class T>
class ArrayRef {
 public:
  typedef T value_type;
  typedef const T* const_iterator;
  typedef const_iterator iterator;
  typedef std::size_t size_type;

  ArrayRef() : data_(nullptr), size_(0) {}
  ArrayRef(const T* data, std::size_t size) : data_(data), size_(size) {}
  ArrayRef(const T* begin, const T* end)
      : data_(begin), size_(static_cast<std::size_t>(end - begin)) {}
  template <class A>
  ArrayRef(const std::vector<T, A>& v) : data_(v.data()), size_(v.size()) {}
  template <std::size_t N>
  ArrayRef(const std::array<T, N>& a) : data_(a.data()), size_(N) {}
  template <std::size_t N>
  ArrayRef(const T (&a)[N]) : data_(a), size_(N) {}
// An argument of initializer-list type outlives the call that it is passed to, which is the only
// use of an ArrayRef.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  ArrayRef(std::initializer_list<T> l) : data_(l.begin()), size_(l.size()) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic pop
#endif

  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return data_[i];
  }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  const_iterator begin() const { return data_; }
  const_iterator end() const { return data_ + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  std::vector<T> cloneAsVector() const { return std::vector<T>(begin(), end()); }

 private:
  const T* data_;
  std::size_t size_;
};

template <class T>
bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

template <class T>
bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !(a == b);
}

}  // namespace poplar

// Its name in the SDK's base package.
namespace gccs {
using poplar::ArrayRef;
}  // namespace gccs

#endif  // poplar_ArrayRef_hpp
