#ifndef poplar_replication_factor_hpp
#define poplar_replication_factor_hpp

namespace poplar {

/// How many copies of a graph run at the same time.
class replication_factor {
 public:
  constexpr explicit replication_factor(unsigned value) : value_(value) {}
  constexpr unsigned value() const { return value_; }
  constexpr operator unsigned() const { return value_; }

 private:
  unsigned value_;
};

}  // namespace poplar

#endif  // poplar_replication_factor_hpp
