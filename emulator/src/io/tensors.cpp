// Graph::serializeTensors: shapes of tensors, and where their elements lie.
#include <istream>
#include <map>
#include <ostream>
#include <poplar/Graph.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/exceptions.hpp>

#include "errors/errors_text.hpp"

namespace poplar {

namespace errors = emulator::errors;

namespace {

constexpr const char* kMagic = "popsnn-tensors-1";

[[noreturn]] void otherBytes() {
  throw poplar_error(
      "Graph::deserializeTensors: expected what Graph::serializeTensors wrote here, got other "
      "bytes");
}

[[noreturn]] void readsJson() {
  throw poplar_error("Graph::deserializeTensors: expected the format Binary, got JSON");
}

std::size_t number(std::istream& in) {
  std::size_t n;
  if (!(in >> n)) otherBytes();
  return n;
}

Type readType(std::istream& in) {
  const std::size_t code = number(in);
  if (code >= static_cast<std::size_t>(Type::Code::NONE)) otherBytes();
  return Type(static_cast<Type::Code>(code));
}

void writeType(std::ostream& out, const Type& type) {
  out << static_cast<std::size_t>(type.code()) << ' ';
}

// The variables of tensors, and the place of each in the list.
struct Variables {
  explicit Variables(ArrayRef<Tensor> tensors) {
    for (const Tensor& t : tensors) {
      for (const VariableInterval& r : t.getVarRegions()) {
        if (places.emplace(r.var.id, list.size()).second) list.push_back(r.var);
      }
    }
  }
  std::map<std::size_t, std::size_t> places;  // by their number
  std::vector<VariableRef> list;
};

// The same for people and other programs.
ProfileValue jsonValue(const Graph& graph, const Variables& used, ArrayRef<Tensor> tensors) {
  using Values = ProfileValue::Vector;
  Values variables, out;
  for (const VariableRef v : used.list) {
    const Tensor all = graph.getVariable(v);
    Values tiles;
    const auto mapping = graph.getTileMapping(all.flatten(), nullptr);
    for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& r : mapping[tile]) tiles.push_back(Values{tile, r.begin(), r.end()});
    }
    variables.push_back(ProfileValue::Map{{"type", all.elementType().toString()},
                                          {"numElements", all.numElements()},
                                          {"tiles", tiles}});
  }
  for (const Tensor& t : tensors) {
    Values regions;
    for (const VariableInterval& r : t.getVarRegions()) {
      regions.push_back(Values{used.places.at(r.var.id), r.interval.begin(), r.interval.end()});
    }
    const std::vector<std::size_t> shape = t.shape();
    out.push_back(ProfileValue::Map{{"type", t.elementType().toString()},
                                    {"shape", Values(shape.begin(), shape.end())},
                                    {"regions", regions}});
  }
  return ProfileValue::Map{{"variables", variables}, {"tensors", out}};
}

}  // namespace

void Graph::serializeTensors(std::ostream& out, ArrayRef<Tensor> tensors,
                             SerializationFormat format) const {
  const Variables used(tensors);
  if (format == SerializationFormat::JSON) {
    serializeToJSON(out, jsonValue(*this, used, tensors));
    return;
  }
  const std::vector<VariableRef>& variables = used.list;
  out << kMagic << ' ' << variables.size() << '\n';
  for (const VariableRef v : variables) {
    const Tensor all = getVariable(v);
    writeType(out, all.elementType());
    out << all.numElements() << '\n';
    const auto mapping = getTileMapping(all.flatten(), nullptr);
    for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& r : mapping[tile]) {
        out << tile << ' ' << r.begin() << ' ' << r.end() << ' ';
      }
    }
    out << "-1\n";
  }
  out << tensors.size() << '\n';
  for (const Tensor& t : tensors) {
    writeType(out, t.elementType());
    out << t.rank() << ' ';
    for (const std::size_t d : t.shape()) out << d << ' ';
    const auto regions = t.getVarRegions();
    out << regions.size() << ' ';
    for (const VariableInterval& r : regions) {
      out << used.places.at(r.var.id) << ' ' << r.interval.begin() << ' ' << r.interval.end()
          << ' ';
    }
    out << '\n';
  }
}

std::vector<Tensor> Graph::deserializeTensors(std::istream& in, SerializationFormat format) {
  if (format == SerializationFormat::JSON) readsJson();
  std::string magic;
  if (!(in >> magic) || magic != kMagic) otherBytes();
  std::vector<Tensor> variables;
  for (std::size_t n = number(in); n != 0; --n) {
    const Type type = readType(in);
    const Tensor all = addVariable(type, {number(in)}, "deserialized");
    for (;;) {
      long long tile;
      if (!(in >> tile)) otherBytes();
      if (tile < 0) break;
      const std::size_t begin = number(in), end = number(in);
      if (begin > end || end > all.numElements()) otherBytes();
      setTileMapping(all.slice(begin, end), static_cast<unsigned>(tile));
    }
    variables.push_back(all);
  }
  std::vector<Tensor> out;
  for (std::size_t n = number(in); n != 0; --n) {
    const Type type = readType(in);
    std::vector<std::size_t> shape(number(in));
    std::size_t elements = 1;
    for (std::size_t& d : shape) elements *= d = number(in);
    std::vector<Tensor> parts = {addVariable(type, {0}, "deserialized")};
    std::size_t found = 0;
    for (std::size_t i = number(in); i != 0; --i) {
      const std::size_t v = number(in), begin = number(in), end = number(in);
      if (v >= variables.size() || begin > end || end > variables[v].numElements()) otherBytes();
      if (variables[v].elementType() != type) otherBytes();
      parts.push_back(variables[v].slice(begin, end));
      found += end - begin;
    }
    if (found != elements) otherBytes();
    out.push_back(concat(parts).reshape(shape));
  }
  return out;
}

}  // namespace poplar
