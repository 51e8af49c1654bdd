#include <cstdlib>
#include <iostream>
#include <popart/logging.hpp>

namespace popart {
namespace logging {

namespace {

constexpr const char* kLevels[] = {"TRACE", "DEBUG", "INFO", "WARN", "ERR", "CRITICAL", "OFF"};
constexpr const char* kModules[] = {"popart",  "session", "ir",  "devicex", "transform", "pattern",
                                    "builder", "op",      "opx", "ces",     "python",    "none"};
constexpr int kNumModules = static_cast<int>(Module::none) + 1;

Level levelOfEnvironment() {
  const char* value = std::getenv("POPART_LOG_LEVEL");
  const std::string name = value == nullptr ? "" : value;
  for (int level = 0; level < static_cast<int>(Level::N); ++level)
    if (name == kLevels[level]) return static_cast<Level>(level);
  return Level::Warn;
}

Level& levelOf(Module module) {
  static std::vector<Level> levels(kNumModules, levelOfEnvironment());
  return levels[static_cast<int>(module)];
}

}  // namespace

void setLogLevel(Module module, Level level) { levelOf(module) = level; }
Level getLogLevel(Module module) { return levelOf(module); }
bool shouldLog(Module module, Level level) { return level >= levelOf(module); }
void flush(Module) { std::cerr.flush(); }

void log(Module module, Level level, const std::string&& message) {
  if (!shouldLog(module, level)) return;
  std::cerr << "[popart:" << kModules[static_cast<int>(module)] << "] ["
            << kLevels[static_cast<int>(level)] << "] " << message << '\n';
}

namespace internal {

std::string format(const std::string& text, const std::vector<std::string>& values) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool doubled = i + 1 < text.size() && text[i + 1] == text[i];
    if (doubled && (text[i] == '{' || text[i] == '}')) {
      out += text[i++];  // {{ and }} stand for themselves
    } else if (text[i] == '{') {
      const std::size_t end = text.find('}', i);
      if (end == std::string::npos || next == values.size()) {
        throw FormatError("logging::format: expected a value for each {} of '" + text + "', got " +
                          std::to_string(values.size()));
      }
      out += values[next++];
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace internal
}  // namespace logging
}  // namespace popart
