// Options as a flat JSON object.
#include <cctype>
#include <cstdlib>
#include <istream>
#include <iterator>
#include <poplar/OptionFlags.hpp>
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void jsonOptions(const std::string& json, size_t at, const char* expected) {
  throw parse_error(text("readJSON: expected ", expected, " at character ", at, ", got '",
                         json.substr(std::min(at, json.size()), 20), "'"));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

namespace {

class Parser {
 public:
  explicit Parser(std::string text) : text_(std::move(text)) {}

  void parse(OptionFlags& options) {
    take('{');
    if (!tryTake('}')) {
      do {
        const std::string name = string();
        take(':');
        options.set(name, value());
      } while (tryTake(','));
      take('}');
    }
    skipSpace();
    if (at_ != text_.size()) fail("the end");
  }

 private:
  [[noreturn]] void fail(const char* expected) const {
    emulator::errors::jsonOptions(text_, at_, expected);
  }

  void skipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool tryTake(char c) {
    skipSpace();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void take(char c) {
    const char expected[] = {'\'', c, '\'', '\0'};
    if (!tryTake(c)) fail(expected);
  }

  std::string string() {
    take('"');
    std::string out;
    for (;; ++at_) {
      if (at_ == text_.size()) fail("'\"'");
      if (text_[at_] == '"') break;
      if (text_[at_] == '\\') {
        ++at_;
        const std::string::size_type escape = std::string("\"\\/nt").find(text_[at_]);
        if (escape == std::string::npos) fail("one of \\\" \\\\ \\/ \\n \\t");
        out += "\"\\/\n\t"[escape];
      } else {
        out += text_[at_];
      }
    }
    ++at_;
    return out;
  }

  // A string, or a number, true or false as written.
  std::string value() {
    skipSpace();
    if (at_ < text_.size() && text_[at_] == '"') return string();
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '.' || text_[at_] == '-' || text_[at_] == '+')) {
      ++at_;
    }
    if (at_ == begin) fail("a value");
    return text_.substr(begin, at_ - begin);
  }

  const std::string text_;
  size_t at_ = 0;
};

}  // namespace

void readJSON(StringRef text, OptionFlags& options) { Parser(text.str()).parse(options); }

void readJSON(std::istream& text, OptionFlags& options) {
  Parser({std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>()}).parse(options);
}

void readJSONFromEnv(StringRef variable, OptionFlags& options) {
  const char* text = std::getenv(variable.str().c_str());
  if (text != nullptr) readJSON(StringRef(text), options);
}

}  // namespace poplar
