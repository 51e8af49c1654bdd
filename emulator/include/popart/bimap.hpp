#ifndef popart_bimap_hpp
#define popart_bimap_hpp

#include <map>

/// Pairs that are found by either half.
template <typename L, typename R>
class BiMap {
 public:
  void insert(L l, R r) {
    left_[l] = r;
    right_[r] = l;
  }
  bool hasLeft(const L& l) const { return left_.count(l) > 0; }
  bool hasRight(const R& r) const { return right_.count(r) > 0; }
  /// Throw std::out_of_range where there is no such pair.
  void eraseLeft(L l) {
    right_.erase(left_.at(l));
    left_.erase(l);
  }
  void eraseRight(R r) {
    left_.erase(right_.at(r));
    right_.erase(r);
  }
  void remapLeft(L from, L to) {
    const R r = left_.at(from);
    eraseLeft(from);
    insert(to, r);
  }
  void remapRight(R from, R to) {
    const L l = right_.at(from);
    eraseRight(from);
    insert(l, to);
  }
  const R& operator[](L l) const { return left_.at(l); }
  const R& at(L l) const { return left_.at(l); }
  const L& getLeft(R r) const { return right_.at(r); }
  const R& getRight(L l) const { return left_.at(l); }
  const std::map<L, R>& leftMap() const { return left_; }
  const std::map<R, L>& rightMap() const { return right_; }

 private:
  std::map<L, R> left_;
  std::map<R, L> right_;
};

#endif  // popart_bimap_hpp
