#ifndef poplar_OptionFlags_hpp
#define poplar_OptionFlags_hpp

#include <initializer_list>
#include <iosfwd>
#include <map>
#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>
#include <string>
#include <utility>

namespace poplar {

/// Named string options. What accepts them throws `invalid_option` on a name or value it lacks.
class OptionFlags {
 public:
  typedef std::pair<const std::string, std::string> OptionFlag;
  typedef std::initializer_list<OptionFlag> initializer_list;
  typedef std::map<std::string, std::string>::const_iterator iterator;

  OptionFlags() {}
  OptionFlags(initializer_list options) { set(options); }

  void set(StringRef option, StringRef value) { options_[option.str()] = value.str(); }
  void set(initializer_list options) {
    for (const OptionFlag& o : options) options_[o.first] = o.second;
  }
  /// The value of an option; throws `invalid_option` when it was not set.
  StringRef at(StringRef option) const;
  iterator find(StringRef option) const { return options_.find(option.str()); }
  bool has(StringRef option) const { return options_.count(option.str()) != 0; }
  void clear() { options_.clear(); }
  iterator begin() const { return options_.begin(); }
  iterator end() const { return options_.end(); }
  std::size_t size() const { return options_.size(); }

  bool operator==(const OptionFlags& other) const { return options_ == other.options_; }
  bool operator!=(const OptionFlags& other) const { return options_ != other.options_; }

 private:
  std::map<std::string, std::string> options_;
};

/// As JSON that readJSON reads.
std::ostream& operator<<(std::ostream& out, const OptionFlags& options);

inline ProfileValue getAsProfileValue(const OptionFlags& options) {
  ProfileValue::Map out;
  for (const auto& o : options) out.insert({o.first, ProfileValue(o.second)});
  return out;
}

/// Sets the options of a flat JSON object: {"name": "value", ...}. Throws `parse_error`.
void readJSON(StringRef text, OptionFlags& options);
void readJSON(std::istream& text, OptionFlags& options);
/// As readJSON, from an environment variable; one that is not set changes nothing.
void readJSONFromEnv(StringRef variable, OptionFlags& options);

}  // namespace poplar

#endif  // poplar_OptionFlags_hpp
