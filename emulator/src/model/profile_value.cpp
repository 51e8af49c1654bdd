// Profiles as values, and values as JSON.
#include <cmath>
#include <ostream>
#include <poplar/Engine.hpp>
#include <poplar/emulator/Profile.hpp>
#include <sstream>

#include "api/access.hpp"
#include "model/profile.hpp"
#include "run/executor.hpp"

namespace poplar {

namespace {

class JsonWriter {
 public:
  JsonWriter(std::ostream& out, bool pretty) : out_(out), pretty_(pretty) {}

  void write(const ProfileValue& value) {
    switch (value.type()) {
      case ProfileValue::Type::NONE:
        out_ << "null";
        break;
      case ProfileValue::Type::BOOL:
        out_ << (value.asBool() ? "true" : "false");
        break;
      case ProfileValue::Type::NUMBER:
        number(value.asDouble());
        break;
      case ProfileValue::Type::STRING:
        string(value.asString());
        break;
      case ProfileValue::Type::VECTOR:
        list('[', value.asVector(), ']', [&](const ProfileValue& v) { write(v); });
        break;
      case ProfileValue::Type::MAP:
        list('{', value.asMap(), '}', [&](const ProfileValue::Map::value_type& entry) {
          string(entry.first);
          out_ << (pretty_ ? ": " : ":");
          write(entry.second);
        });
        break;
    }
  }

 private:
  void number(double x) {
    if (!std::isfinite(x)) {
      out_ << "null";
      return;
    }
    std::ostringstream text;
    text.precision(17);
    text << x;
    out_ << text.str();
  }

  void string(const std::string& text) {
    out_ << '"';
    for (char c : text) {
      if (c == '"' || c == '\\') {
        out_ << '\\' << c;
      } else if (c == '\n') {
        out_ << "\\n";
      } else if (static_cast<unsigned char>(c) >= 0x20) {
        out_ << c;
      }
    }
    out_ << '"';
  }

  template <class List, class Fn>
  void list(char open, const List& entries, char close, Fn&& fn) {
    out_ << open;
    ++depth_;
    const char* separator = "";
    for (const auto& entry : entries) {
      out_ << separator;
      line();
      fn(entry);
      separator = ",";
    }
    --depth_;
    if (!entries.empty()) line();
    out_ << close;
  }

  void line() {
    if (pretty_) out_ << '\n' << std::string(2 * depth_, ' ');
  }

  std::ostream& out_;
  const bool pretty_;
  size_t depth_ = 0;
};

ProfileValue::Vector numbers(const std::vector<size_t>& list) {
  return ProfileValue::Vector(list.begin(), list.end());
}

ProfileValue cycles(const emulator::CyclesByKind& c) {
  return ProfileValue::Map{{"total", c.total()},
                           {"compute", c.compute},
                           {"computeBusy", c.computeBusy},
                           {"exchange", c.exchange},
                           {"globalExchange", c.globalExchange},
                           {"hostExchange", c.hostExchange},
                           {"sync", c.sync},
                           {"wait", c.wait}};
}

}  // namespace

void serializeToJSON(std::ostream& out, const ProfileValue& value, bool prettyPrint) {
  JsonWriter(out, prettyPrint).write(value);
}

ProfileValue Engine::getGraphProfile() const {
  const emulator::Image& image =
      emulator::Access::executor(*this, "Engine::getGraphProfile").image();
  const emulator::Profile p = emulator::graphProfile(image);
  ProfileValue::Map memory;
  for (const auto& kind : p.bytesPerTile) memory[kind.first] = numbers(kind.second);
  return ProfileValue::Map{
      {"target", ProfileValue::Map{{"type", toString(image.target.getTargetType())},
                                   {"numTiles", image.target.getNumTiles()},
                                   {"numIPUs", image.target.getNumIPUs()},
                                   {"bytesPerTile", image.target.getBytesPerTile()}}},
      {"graph", ProfileValue::Map{{"numComputeSets", p.numComputeSets},
                                  {"numEdges", p.numEdges},
                                  {"numVars", p.numVariables},
                                  {"numVertices", p.numVertices}}},
      {"memory", ProfileValue::Map{{"byKind", memory},
                                   {"alwaysLive", numbers(p.alwaysLiveBytesPerTile)},
                                   {"notAlwaysLive", numbers(p.notAlwaysLiveBytesPerTile)}}}};
}

ProfileValue Engine::getExecutionProfile() const {
  const emulator::Profile p = emulator::getProfile(*this);
  ProfileValue::Vector steps;
  for (const emulator::StepProfile& s : p.steps) {
    steps.push_back(ProfileValue::Map{
        {"kind", s.kind}, {"name", s.name}, {"runs", s.runs}, {"cycles", cycles(s.cycles)}});
  }
  return ProfileValue::Map{{"cycles", cycles(p.cycles)}, {"steps", steps}};
}

}  // namespace poplar
