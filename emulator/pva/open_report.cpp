// Reads a report: JSON as Engine writes it.
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <poplar/ProfileValue.hpp>
#include <pva/pva.hpp>
#include <stdexcept>

namespace pva {

using poplar::ProfileValue;

namespace {

class Parser {
 public:
  Parser(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  ProfileValue parse() {
    const ProfileValue out = value();
    space();
    if (at_ != text_.size()) fail();
    return out;
  }

  [[noreturn]] void fail() const {
    throw std::runtime_error(
        "pva::openReport: expected a report that an Engine has written, got '" + path_ + "'");
  }

 private:
  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool next(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void take(char c) {
    if (!next(c)) fail();
  }

  bool word(const std::string& w) {
    if (text_.compare(at_, w.size(), w) != 0) return false;
    at_ += w.size();
    return true;
  }

  std::string string() {
    take('"');
    std::string out;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      out += text_[at_ - 1] == '\\' && text_[at_] == 'n' ? '\n' : text_[at_];
    }
    take('"');
    return out;
  }

  ProfileValue value() {
    space();
    if (next('{')) {
      ProfileValue::Map out;
      while (!next('}')) {
        if (!out.empty()) take(',');
        const std::string key = string();
        take(':');
        out.insert({key, value()});
      }
      return out;
    }
    if (next('[')) {
      ProfileValue::Vector out;
      while (!next(']')) {
        if (!out.empty()) take(',');
        out.push_back(value());
      }
      return out;
    }
    if (at_ < text_.size() && text_[at_] == '"') return ProfileValue(string());
    if (word("true")) return ProfileValue(true);
    if (word("false")) return ProfileValue(false);
    if (word("null")) return ProfileValue();
    const char* const begin = text_.c_str() + at_;
    char* end = nullptr;
    const double number = std::strtod(begin, &end);
    if (end == begin) fail();
    at_ += static_cast<std::size_t>(end - begin);
    return ProfileValue(number);
  }

  const std::string path_, text_;
  std::size_t at_ = 0;
};

}  // namespace

Report openReport(const std::string& path) {
  std::ifstream in(path);
  Parser parser(path, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  const ProfileValue value = parser.parse();
  if (value.type() != ProfileValue::Type::MAP || value.asMap().count("compilation") == 0) {
    parser.fail();
  }
  return Report(value);
}

}  // namespace pva
