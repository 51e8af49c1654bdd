#ifndef poplar_Interval_hpp
#define poplar_Interval_hpp

#include <cstddef>
#include <numeric>  // programs count on it
#include <ostream>
#include <tuple>

namespace poplar {

/// Half-open interval [begin, end).
template <class T>
class GenericInterval {
 public:
  GenericInterval() : begin_(0), end_(0) {}
  GenericInterval(T begin, T end) : begin_(begin), end_(end) {}

  const T& begin() const { return begin_; }
  const T& end() const { return end_; }
  const T& lower() const { return begin_; }
  const T& upper() const { return end_; }
  T size() const { return end_ - begin_; }

 private:
  T begin_, end_;
};

template <class T>
bool operator==(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return a.begin() == b.begin() && a.end() == b.end();
}
template <class T>
bool operator!=(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return !(a == b);
}
template <class T>
bool operator<(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return std::tie(a.begin(), a.end()) < std::tie(b.begin(), b.end());
}
template <class T>
std::ostream& operator<<(std::ostream& out, const GenericInterval<T>& i) {
  return out << '[' << i.begin() << ',' << i.end() << ')';
}

typedef GenericInterval<std::size_t> Interval;

}  // namespace poplar

#endif  // poplar_Interval_hpp
