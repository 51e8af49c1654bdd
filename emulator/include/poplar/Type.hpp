#ifndef poplar_Type_hpp
#define poplar_Type_hpp

#include <cstddef>
#include <functional>
#include <ostream>
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

constexpr Type BOOL(Type::Code::BOOL);
constexpr Type CHAR(Type::Code::CHAR);
constexpr Type UNSIGNED_CHAR(Type::Code::UNSIGNED_CHAR);
constexpr Type SIGNED_CHAR(Type::Code::SIGNED_CHAR);
constexpr Type SHORT(Type::Code::SHORT);
constexpr Type UNSIGNED_SHORT(Type::Code::UNSIGNED_SHORT);
constexpr Type INT(Type::Code::INT);
constexpr Type UNSIGNED_INT(Type::Code::UNSIGNED_INT);
constexpr Type LONG(Type::Code::LONG);
constexpr Type UNSIGNED_LONG(Type::Code::UNSIGNED_LONG);
constexpr Type LONGLONG(Type::Code::LONGLONG);
constexpr Type UNSIGNED_LONGLONG(Type::Code::UNSIGNED_LONGLONG);
constexpr Type HALF(Type::Code::HALF);
constexpr Type FLOAT(Type::Code::FLOAT);
constexpr Type QUARTER(Type::Code::QUARTER);
constexpr Type QUARTER_METADATA(Type::Code::QUARTER_METADATA);

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::Type> {
  size_t operator()(const poplar::Type& t) const noexcept { return static_cast<size_t>(t.code()); }
};
}  // namespace std

#endif  // poplar_Type_hpp
