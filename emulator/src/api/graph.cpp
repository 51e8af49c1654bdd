#include <algorithm>
#include <atomic>
#include <poplar/Graph.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "api/options.hpp"
#include "api/types.hpp"
#include "compile/codelet_library.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void hostType(const char* operation) {
  throw type_error(text(operation, ": expected the traits of a number, got those of no type"));
}

[[noreturn]] void notHalf(Type type) {
  throw type_error(text("Graph::addConstantHalf: expected type half, got ", type));
}

[[noreturn]] void constantQuarter() {
  throw type_error("Graph::addConstant: constants of type quarter are not emulated");
}

[[noreturn]] void replicas(size_t factor) {
  throw graph_replication_error(
      text("Graph: expected a replication factor of 1, which is all that the emulator has, got ",
           factor));
}

[[noreturn]] void variableTooLarge(const char* operation, const std::string& name,
                                   ArrayRef<size_t> shape) {
  throw tensor_creation_error(text(operation, ": expected variable '", name,
                                   "' to have below 2^32 elements, got ", shapeText(shape)));
}

[[noreturn]] void tooManyVariables() {
  throw tensor_creation_error("Graph::addVariable: expected below 2^31 variables, got one more");
}

[[noreturn]] void valueCount(const char* operation, size_t expected, size_t got) {
  throw tensor_creation_error(text(operation, ": expected ", expected, " values, got ", got));
}

[[noreturn]] void tileOutOfRange(const char* operation, size_t tile, size_t tiles) {
  throw invalid_tile_mapping(text(operation, ": expected a tile below ", tiles, ", got ", tile));
}

[[noreturn]] void virtualGraphTiles(size_t begin, size_t end, size_t tiles) {
  throw poplar_error(text("Graph::createVirtualGraph: expected one tile or more of ", tiles,
                          ", got [", begin, ",", end, ")"));
}

[[noreturn]] void streamCodelets() {
  throw file_load_error("Graph::addCodelets: expected a stream of C or C++, got another type");
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::GraphData;
using emulator::RangeList;
using emulator::Variable;
using emulator::View;

namespace errors = emulator::errors;

namespace emulator {

GraphData::GraphData(const Target& t) : target(t) {
  static std::atomic<uint64_t> graphs{0};
  id = ++graphs;
}

void GraphData::compiled(const std::shared_ptr<CompiledGraph>& compilation) const {
  compiled_variables = variables.size();
  compiled_compute_sets = compute_sets.size();
  compilations.erase(std::remove_if(compilations.begin(), compilations.end(),
                                    [](const auto& c) { return c.expired(); }),
                     compilations.end());
  compilations.push_back(compilation);
}

void GraphData::changes() {
  std::vector<std::weak_ptr<CompiledGraph>> told;
  told.swap(compilations);
  std::shared_ptr<const GraphData> before;
  for (const auto& weak : told) {
    const std::shared_ptr<CompiledGraph> compilation = weak.lock();
    if (!compilation) continue;
    compilation->graph.reset();
    if (!compilation->kept) continue;
    if (!before) before = std::make_shared<GraphData>(*this);
    compilation->kept = before;
  }
}

uint32_t GraphData::addVariable(Type type, size_t size, std::string name, bool constant) {
  // The top bit of an id marks constants.
  if (variables.size() >= kConstantBit) errors::tooManyVariables();
  const uint32_t id = static_cast<uint32_t>(variables.size());
  variables.push_back({type, false, size, std::move(name), {}, {}, {}});
  return constant ? id | kConstantBit : id;
}

}  // namespace emulator

namespace {

size_t variableSize(const char* operation, ArrayRef<size_t> shape,
                    const DebugContext& debugContext) {
  size_t n = 0;
  if (!emulator::countElements(shape, &n)) {
    errors::variableTooLarge(operation, debugContext.getPathName(), shape);
  }
  return n;
}

Tensor wholeVariable(const GraphData& data, uint32_t id, ArrayRef<size_t> shape) {
  const Variable& v = data.variable(id);
  auto ranges = std::make_shared<RangeList>();
  ranges->append(id, 0, v.size);
  return Access::tensor(emulator::makeDense(v.type, data.id, std::move(ranges), shape));
}

}  // namespace

Graph::Graph() : Graph(Target()) {}
Graph::Graph(const Target& target, replication_factor replicas)
    : data_(emulator::makeGraph(target)), target_(target) {
  if (replicas.value() != 1) errors::replicas(replicas.value());
}
Graph::Graph(const Device& device, replication_factor replicas)
    : Graph(device.getTarget(), replicas) {}
Graph::Graph(std::shared_ptr<GraphData> data, const Target& target,
             std::shared_ptr<const std::vector<unsigned>> tiles)
    : data_(std::move(data)), target_(target), tiles_(std::move(tiles)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

const Target& Graph::getTarget() const { return target_; }

unsigned Graph::physicalTile(unsigned tile, const char* operation) const {
  if (tile >= target_.getNumTiles()) errors::tileOutOfRange(operation, tile, target_.getNumTiles());
  return tiles_ ? (*tiles_)[tile] : tile;
}

Graph Graph::createVirtualGraph(unsigned lowerTile, unsigned upperTile) {
  if (lowerTile >= upperTile || upperTile > target_.getNumTiles()) {
    errors::virtualGraphTiles(lowerTile, upperTile, target_.getNumTiles());
  }
  auto tiles = std::make_shared<std::vector<unsigned>>();
  for (unsigned t = lowerTile; t < upperTile; ++t) {
    tiles->push_back(physicalTile(t, "Graph::createVirtualGraph"));
  }
  return Graph(data_, target_.createVirtualTarget(1, upperTile - lowerTile), std::move(tiles));
}

Graph Graph::createVirtualGraph(ArrayRef<unsigned> perIPUTiles) {
  const unsigned per_ipu = target_.getTilesPerIPU(), ipus = target_.getNumIPUs();
  auto tiles = std::make_shared<std::vector<unsigned>>();
  for (unsigned ipu = 0; ipu < ipus; ++ipu) {
    for (unsigned t : perIPUTiles) {
      if (t >= per_ipu) errors::tileOutOfRange("Graph::createVirtualGraph", t, per_ipu);
      tiles->push_back(physicalTile(ipu * per_ipu + t, "Graph::createVirtualGraph"));
    }
  }
  if (perIPUTiles.empty()) errors::virtualGraphTiles(0, 0, target_.getNumTiles());
  const unsigned n = static_cast<unsigned>(perIPUTiles.size());
  return Graph(data_, target_.createVirtualTarget(ipus, n), std::move(tiles));
}

Graph Graph::createVirtualGraph(unsigned tilesPerIPU) {
  const unsigned per_ipu = target_.getTilesPerIPU();
  if (tilesPerIPU > per_ipu) errors::virtualGraphTiles(0, tilesPerIPU, per_ipu);
  std::vector<unsigned> tiles(tilesPerIPU);
  for (unsigned t = 0; t < tilesPerIPU; ++t) tiles[t] = t;
  return createVirtualGraph(ArrayRef<unsigned>(tiles));
}

Graph Graph::getTopLevelGraph() { return Graph(data_, data_->target, nullptr); }

Tensor Graph::addVariable(const Type& type, ArrayRef<size_t> shape,
                          const DebugContext& debugContext) {
  emulator::checkElementType("Graph::addVariable", type);
  const size_t n = variableSize("Graph::addVariable", shape, debugContext);
  const uint32_t id = data_->addVariable(type, n, debugContext.getPathName(), false);
  return wholeVariable(*data_, id, shape);
}

Tensor Graph::addVariable(const Type& type, ArrayRef<size_t> shape, VariableMappingMethod method,
                          const DebugContext& debugContext) {
  Tensor t = addVariable(type, shape, debugContext);
  if (method == VariableMappingMethod::NONE) return t;
  const size_t n = t.numElements(), tiles = target_.getNumTiles();
  const size_t each = (n + tiles - 1) / tiles;
  const Tensor flat = t.flatten();
  for (size_t begin = 0, tile = 0; begin < n; begin += each, ++tile) {
    setTileMapping(flat.slice(begin, std::min(n, begin + each)), static_cast<unsigned>(tile));
  }
  return t;
}

Tensor Graph::addConstant(const Type& type, ArrayRef<size_t> shape, const HostValues& values,
                          bool fill, const DebugContext& debugContext) {
  emulator::checkElementType("Graph::addConstant", type);
  const size_t n = variableSize("Graph::addConstant", shape, debugContext);
  const size_t bytes = emulator::sizeOf(type);
  if (!fill && values.size != n) errors::valueCount("Graph::addConstant", n, values.size);
  const uint32_t id = data_->addVariable(type, n, debugContext.getPathName(), true);
  std::vector<char>& out = data_->variable(id).values;
  out.resize(n * bytes);
  if (!fill) {
    emulator::convert(values.type, values.data, type, out.data(), n);
  } else {
    for (size_t i = 0; i < n; ++i) {
      emulator::convert(values.type, values.data, type, out.data() + i * bytes, 1);
    }
  }
  return wholeVariable(*data_, id, shape);
}

Tensor Graph::addConstant(const Type& type, ArrayRef<size_t> shape, const void* values,
                          const TypeTraits& traits, bool broadcast,
                          const DebugContext& debugContext) {
  if (!traits.isSimple) errors::hostType("Graph::addConstant");
  const size_t n = broadcast ? 1 : emulator::checkedElements("Graph::addConstant", shape);
  return addConstant(type, shape, HostValues(values, n, Type(traits.code_)), broadcast,
                     debugContext);
}

Tensor Graph::addHalves(const Type& type, ArrayRef<size_t> shape, const uint16_t* bits, size_t n,
                        bool fill, const DebugContext& debugContext) {
  if (type != HALF) errors::notHalf(type);
  return addConstant(type, shape, HostValues(bits, n, HALF), fill, debugContext);
}

void Graph::checkNoQuarter(const Type& type, const Tensor& metadata) {
  checkMetadata("Graph::addConstant", type, metadata);
  if (type.requiresMetadata()) errors::constantQuarter();
}

void Graph::setInitialValues(const Tensor& t, const HostValues& values, bool fill) {
  const View& v = Access::view(t, "Graph::setInitialValue");
  if (v.graph != data_->id) errors::otherGraph("Graph::setInitialValue");
  const size_t n = v.numElements(), bytes = emulator::sizeOf(v.type);
  if (emulator::hasConstant(v)) errors::writesConstant("Graph::setInitialValue");
  if (!fill && values.size != n) errors::valueCount("Graph::setInitialValue", n, values.size);
  std::vector<char> out(n * bytes);
  for (size_t i = 0; fill && i < n; ++i) {
    emulator::convert(values.type, values.data, v.type, out.data() + i * bytes, 1);
  }
  if (!fill) emulator::convert(values.type, values.data, v.type, out.data(), n);
  data_->initial_values.push_back({Access::pointer(t), std::move(out)});
}

bool Graph::addCodelets(StringRef path, CodeletFileType type, StringRef compileFlags,
                        StringRef targetName) {
  const std::string file = path.str();
  if (type == CodeletFileType::Auto) type = getCodeletFileType(path);
  if (type == CodeletFileType::Object) {
    return data_->addLibrary(emulator::CodeletLibrary::load(file, data_->isDevice()));
  }
  return addCodelets(ArrayRef<std::string>(&file, 1), compileFlags, targetName);
}

bool Graph::addCodelets(ArrayRef<std::string> paths, StringRef compileFlags, StringRef) {
  return addCodelets(emulator::compileCodelets({paths.begin(), paths.end()}, compileFlags.str(),
                                               data_->isDevice()),
                     CodeletFileType::Object);
}

bool Graph::addCodelets(std::initializer_list<const char*> paths, StringRef compileFlags,
                        StringRef targetName) {
  const std::vector<std::string> list(paths.begin(), paths.end());
  return addCodelets(ArrayRef<std::string>(list), compileFlags, targetName);
}

void Graph::addCodelets(std::stringstream& stream, StringRef compileFlags, CodeletFileType type,
                        StringRef) {
  if (type != CodeletFileType::CppSource && type != CodeletFileType::CSource &&
      type != CodeletFileType::Auto) {
    errors::streamCodelets();
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  addCodelets(emulator::compileCodeletText(text, compileFlags.str(), data_->isDevice()),
              CodeletFileType::Object);
}

bool Graph::hasCodelet(StringRef vertexType) const {
  return data_->type_ids.count(vertexType.str()) != 0;
}

bool Graph::isConstant(VariableRef v) const { return !data_->variable(v.id).values.empty(); }

Tensor Graph::getVariable(VariableRef v) const {
  const uint32_t constant = isConstant(v) ? emulator::kConstantBit : 0;
  return wholeVariable(*data_, v.id | constant, {data_->variable(v.id).size});
}

}  // namespace poplar
