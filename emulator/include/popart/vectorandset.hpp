#ifndef popart_vectorandset_hpp
#define popart_vectorandset_hpp

#include <set>
#include <vector>

namespace popart {

/// Values in the order in which they came, each once.
template <class T>
class VectorAndSet {
 public:
  VectorAndSet() = default;
  VectorAndSet(const std::vector<T>& values) { reset(values); }
  bool contains(T value) const { return set_.count(value) > 0; }
  const std::vector<T>& v() const { return vector_; }
  void insert(const T& value) {
    if (set_.insert(value).second) vector_.push_back(value);
  }
  /// Takes the values as they are, repeated ones too, as PopART does.
  void reset(const std::vector<T>& values) {
    vector_ = values;
    set_ = std::set<T>(values.begin(), values.end());
  }

 private:
  std::vector<T> vector_;
  std::set<T> set_;
};

}  // namespace popart

#endif  // popart_vectorandset_hpp
