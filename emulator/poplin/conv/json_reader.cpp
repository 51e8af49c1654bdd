#include "json_reader.hpp"

#include <cctype>
#include <poputil/exceptions.hpp>
#include <string>

namespace poplin {

using poplar::ProfileValue;

namespace {

class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  ProfileValue value() {
    const int c = next();
    if (c == '{') return object();
    if (c == '[') return list();
    if (c == '"') return string();
    in_.unget();
    if (c == 't' || c == 'f' || c == 'n') return word();
    double x = 0;
    if (!(in_ >> x)) fail("a value");
    return x;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) {
    throw poputil::poplibs_error("ConvParams: expected JSON with " + expected);
  }

  // The next character that is not white space.
  int next() {
    char c = 0;
    if (!(in_ >> std::ws >> c)) fail("a value");
    return c;
  }

  std::string string() {
    std::string out;
    for (char c = 0; in_.get(c);) {
      if (c == '"') return out;
      if (c == '\\' && !in_.get(c)) break;
      out += c;
    }
    fail("an end of each string");
  }

  ProfileValue word() {
    std::string out;
    while (std::isalpha(in_.peek()) != 0) out += static_cast<char>(in_.get());
    if (out == "null") return ProfileValue();
    if (out != "true" && out != "false") fail("true, false or null instead of " + out);
    return out == "true";
  }

  ProfileValue list() {
    ProfileValue::Vector out;
    if (next() == ']') return out;
    in_.unget();
    for (;;) {
      out.push_back(value());
      const int c = next();
      if (c == ']') return out;
      if (c != ',') fail("a comma between values");
    }
  }

  ProfileValue object() {
    ProfileValue::Map out;
    if (next() == '}') return out;
    in_.unget();
    for (;;) {
      if (next() != '"') fail("a name in quotes");
      const std::string name = string();
      if (next() != ':') fail("a colon after a name");
      out[name] = value();
      const int c = next();
      if (c == '}') return out;
      if (c != ',') fail("a comma between members");
    }
  }

  std::istream& in_;
};

}  // namespace

ProfileValue readJson(std::istream& in) { return Reader(in).value(); }

}  // namespace poplin
