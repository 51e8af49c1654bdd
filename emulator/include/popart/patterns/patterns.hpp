#ifndef popart_patterns_patterns_hpp
#define popart_patterns_patterns_hpp

#include <map>
#include <popart/patterns/pattern.hpp>
#include <string>

namespace popart {

enum class PatternsLevel { NoPatterns, Minimal, Default, All };

/// Which patterns a session runs: of the libraries that are loaded, as the emulation has none.
class Patterns {
 public:
  Patterns(PatternsLevel level = PatternsLevel::Default) : level_(level) {}
  Patterns& enablePattern(const std::string& name, bool value) {
    settings_[name] = value;
    return *this;
  }
  static Patterns create(const std::map<std::string, bool>& settings) {
    Patterns out;
    out.settings_ = settings;
    return out;
  }
  PatternsLevel level() const { return level_; }
  const std::map<std::string, bool>& getSettings() const { return settings_; }

 private:
  PatternsLevel level_;
  std::map<std::string, bool> settings_;
};

}  // namespace popart

#endif  // popart_patterns_patterns_hpp
