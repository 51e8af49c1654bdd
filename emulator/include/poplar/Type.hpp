#ifndef poplar_Type_hpp
#define poplar_Type_hpp

#include <cstddef>
#include <functional>
#include <ostream>
#include <poplar/StringRef.hpp>
#include <string>

namespace poplar {

/// Element type of a tensor or of a vertex field.
class Type {
 public:
  enum class Code : unsigned char {
    BOOL,
    CHAR,
    UNSIGNED_CHAR,
    SIGNED_CHAR,
    SHORT,
    UNSIGNED_SHORT,
    INT,
    UNSIGNED_INT,
    LONG,
    UNSIGNED_LONG,
    LONGLONG,
    UNSIGNED_LONGLONG,
    HALF,
    FLOAT,
    QUARTER,
    QUARTER_METADATA,
    DOUBLE,  // of host values only: no tensor holds it
    NONE
  };

  constexpr Type() : code_(Code::NONE) {}
  explicit constexpr Type(Code code) : code_(code) {}

  constexpr Code code() const { return code_; }
  /// Whether tensors of this type come with one of QUARTER_METADATA.
  constexpr bool requiresMetadata() const { return code_ == Code::QUARTER; }
  /// The C++ spelling: "float", "unsigned int", ...
  std::string toString() const;

 private:
  Code code_;
};

constexpr bool operator==(Type a, Type b) { return a.code() == b.code(); }
constexpr bool operator!=(Type a, Type b) { return a.code() != b.code(); }
constexpr bool operator<(Type a, Type b) { return a.code() < b.code(); }
std::ostream& operator<<(std::ostream& out, const Type& type);

// Variables, as in the SDK: they bind to a `Type&`.
extern Type BOOL;
extern Type CHAR;
extern Type UNSIGNED_CHAR;
extern Type SIGNED_CHAR;
extern Type SHORT;
extern Type UNSIGNED_SHORT;
extern Type INT;
extern Type UNSIGNED_INT;
extern Type LONG;
extern Type UNSIGNED_LONG;
extern Type LONGLONG;
extern Type UNSIGNED_LONGLONG;
extern Type HALF;
extern Type FLOAT;
extern Type QUARTER;
extern Type QUARTER_METADATA;

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::Type> {
  size_t operator()(const poplar::Type& t) const noexcept { return static_cast<size_t>(t.code()); }
};
}  // namespace std

#endif  // poplar_Type_hpp
