// Messages of PopART: formatted text, and a log on standard error. POPART_LOG_LEVEL names the least
// level that is written: TRACE, DEBUG, INFO, WARN (as it is at first), ERR, CRITICAL or OFF.
#ifndef popart_logging_hpp
#define popart_logging_hpp

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace popart {
namespace logging {

enum class Level { Trace = 0, Debug, Info, Warn, Err, Critical, Off, N };

enum class Module {
  popart,
  session,
  ir,
  devicex,
  transform,
  pattern,
  builder,
  op,
  opx,
  ces,
  python,
  none
};

struct FormatError : std::runtime_error {
  explicit FormatError(const std::string& reason) : std::runtime_error(reason) {}
};

void setLogLevel(Module module, Level level);
Level getLogLevel(Module module);
bool shouldLog(Module module, Level level);
void flush(Module module);
void log(Module module, Level level, const std::string&& message);

namespace internal {

/// `text` with its pairs of braces replaced by `values`, in order. Throws FormatError where there
/// are more pairs than values.
std::string format(const std::string& text, const std::vector<std::string>& values);

// A value as a stream writes it; a list of values, which no stream takes, in brackets.
template <class T>
auto write(std::ostream& out, const T& value, int) -> decltype(out << value, void()) {
  out << value;
}
template <class T>
auto write(std::ostream& out, const T& values, long) -> decltype(values.begin(), void()) {
  const char* separator = "";
  out << '[';
  for (const auto& value : values) {
    out << separator;
    write(out, value, 0);
    separator = ", ";
  }
  out << ']';
}

template <class T>
std::string toText(const T& value) {
  std::ostringstream out;
  write(out, value, 0);
  return out.str();
}

}  // namespace internal

template <class... Args>
std::string format(const std::string& text, const Args&... args) {
  return internal::format(text, std::vector<std::string>{internal::toText(args)...});
}

template <class... Args>
void log(Module module, Level level, const char* text, const Args&... args) {
  if (shouldLog(module, level)) log(module, level, format(text, args...));
}

template <class It>
std::string join(It begin, It end, const std::string& separator) {
  std::ostringstream out;
  for (It it = begin; it != end; ++it) {
    if (it != begin) out << separator;
    out << *it;
  }
  return out.str();
}

#define POPART_LOG_FUNCTION(NAME, MODULE, LEVEL)              \
  template <class... Args>                                    \
  void NAME(const std::string& text, const Args&... args) {   \
    log(Module::MODULE, Level::LEVEL, text.c_str(), args...); \
  }
#define POPART_LOG_FUNCTIONS(MODULE)        \
  POPART_LOG_FUNCTION(trace, MODULE, Trace) \
  POPART_LOG_FUNCTION(debug, MODULE, Debug) \
  POPART_LOG_FUNCTION(info, MODULE, Info)   \
  POPART_LOG_FUNCTION(warn, MODULE, Warn)   \
  POPART_LOG_FUNCTION(err, MODULE, Err)     \
  POPART_LOG_FUNCTION(crit, MODULE, Critical)
#define POPART_LOG_MODULE(MODULE)                                         \
  namespace MODULE {                                                      \
  POPART_LOG_FUNCTIONS(MODULE)                                            \
  inline bool isEnabled(Level l) { return shouldLog(Module::MODULE, l); } \
  }

POPART_LOG_FUNCTIONS(popart)
POPART_LOG_MODULE(session)
POPART_LOG_MODULE(ir)
POPART_LOG_MODULE(devicex)
POPART_LOG_MODULE(transform)
POPART_LOG_MODULE(pattern)
POPART_LOG_MODULE(builder)
POPART_LOG_MODULE(op)
POPART_LOG_MODULE(opx)
POPART_LOG_MODULE(ces)
POPART_LOG_MODULE(python)

#undef POPART_LOG_MODULE
#undef POPART_LOG_FUNCTIONS
#undef POPART_LOG_FUNCTION

}  // namespace logging
}  // namespace popart

#endif  // popart_logging_hpp
