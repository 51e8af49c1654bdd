#ifndef poplar_ProfileValue_hpp
#define poplar_ProfileValue_hpp

#include <iosfwd>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace poplar {

/// A value that libraries attach to what they build, for tools to show: as in JSON.
class ProfileValue {
 public:
  enum class Type { NONE, BOOL, NUMBER, STRING, VECTOR, MAP };
  typedef std::string String;
  typedef double Number;
  typedef bool Boolean;
  typedef std::vector<ProfileValue> Vector;
  typedef std::map<std::string, ProfileValue> Map;

  ProfileValue() : type_(Type::NONE), number_(0) {}
  ProfileValue(bool value) : type_(Type::BOOL), number_(value) {}
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  ProfileValue(T value) : type_(Type::NUMBER), number_(static_cast<double>(value)) {}
  ProfileValue(const char* value) : type_(Type::STRING), number_(0), string_(value) {}
  ProfileValue(const std::string& value) : type_(Type::STRING), number_(0), string_(value) {}
  ProfileValue(const Vector& value) : type_(Type::VECTOR), number_(0), vector_(value) {}
  ProfileValue(const Map& value) : type_(Type::MAP), number_(0), map_(value) {}

  Type type() const { return type_; }
  bool asBool() const { return number_ != 0; }
  double asDouble() const { return number_; }
  const std::string& asString() const { return string_; }
  const Vector& asVector() const { return vector_; }
  const Map& asMap() const { return map_; }

 private:
  Type type_;
  double number_;
  std::string string_;
  Vector vector_;
  Map map_;
};

/// Writes a value as JSON; `prettyPrint` puts each entry on a line.
void serializeToJSON(std::ostream& out, const ProfileValue& value, bool prettyPrint = false);

}  // namespace poplar

#endif  // poplar_ProfileValue_hpp
