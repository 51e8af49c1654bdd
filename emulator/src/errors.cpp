#include "errors.hpp"

#include <algorithm>
#include <poplar/exceptions.hpp>
#include <sstream>

namespace poplar {
namespace emulator {
namespace errors {

namespace {

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  const int expand[] = {0, ((out << parts), 0)...};
  static_cast<void>(expand);
  return out.str();
}

template <class T>
std::string listText(ArrayRef<T> list) {
  std::ostringstream out;
  const char* separator = "{";
  for (const T& v : list) {
    out << separator << v;
    separator = ",";
  }
  return out.str() + (list.empty() ? "{}" : "}");
}

// "0, 2 and 5"
std::string workersText(unsigned workers) {
  std::string out;
  for (unsigned w = 0; workers != 0; ++w, workers >>= 1) {
    if ((workers & 1) == 0) continue;
    out += text(out.empty() ? "" : workers == 1 ? " and " : ", ", w);
  }
  return out;
}

}  // namespace

std::string shapeText(ArrayRef<size_t> shape) { return listText(shape); }

void invalidTensor(const char* operation) {
  throw poplar_error(text(operation, ": expected a tensor of a graph, got an empty Tensor()"));
}

void dimensionOutOfRange(const char* operation, size_t dimension, size_t rank) {
  throw index_error(
      text(operation, ": expected a dimension below the rank ", rank, ", got ", dimension));
}

void dimensionRange(const char* operation, size_t begin, size_t end, size_t rank) {
  throw index_error(text(operation, ": expected dimensions begin <= end <= ", rank, ", got [",
                         begin, ",", end, ")"));
}

void indexOutOfRange(const char* operation, size_t i, size_t dimension, size_t size) {
  throw index_error(text(operation, ": expected an index below ", size, " in dimension ", dimension,
                         ", got ", i));
}

void sliceOutOfRange(size_t begin, size_t end, size_t dimension, size_t size) {
  throw index_error(text("Tensor::slice: expected begin <= end <= ", size, " in dimension ",
                         dimension, ", got [", begin, ",", end, ")"));
}

void sliceBounds(size_t begins, size_t ends, size_t rank) {
  throw index_error(text("Tensor::slice: expected as many begins as ends and at most ", rank,
                         " of them, got ", begins, " and ", ends));
}

void reshapeCount(ArrayRef<size_t> from, ArrayRef<size_t> to) {
  throw poplar_error(text("Tensor::reshape: expected a shape with as many elements as ",
                          shapeText(from), ", got ", shapeText(to)));
}

void squeezeSize(size_t dimension, size_t size) {
  throw poplar_error(
      text("Tensor::squeeze: expected dimension ", dimension, " to have size 1, got ", size));
}

void notAPermutation(const char* operation, ArrayRef<unsigned> list, size_t rank) {
  throw index_error(
      text(operation, ": expected each of ", rank, " dimensions once, got ", listText(list)));
}

void shuffleLists(size_t source, size_t destination) {
  throw index_error(text("Tensor::dimShufflePartial: expected as many destinations as the ", source,
                         " sources, got ", destination));
}

void zeroStride() { throw poplar_error("Tensor::subSample: expected a stride above 0, got 0"); }

void reinterpretSize(Type from, Type to) {
  throw type_error(
      text("Tensor::reinterpret: expected a type of the size of ", from, ", got ", to));
}

void noMetadata(Type type) {
  throw type_error(
      text("Tensor::associateMetadata: expected a tensor of type quarter, got ", type));
}

void concatNothing() { throw poplar_error("concat: expected one tensor or more, got none"); }

void concatType(size_t i, Type type, Type expected) {
  throw type_error(
      text("concat: expected tensor ", i, " to be ", expected, " as the first is, got ", type));
}

void concatShape(size_t i, ArrayRef<size_t> shape, ArrayRef<size_t> expected, size_t dimension) {
  throw poplar_error(text("concat: expected tensor ", i, " to have the shape ", shapeText(expected),
                          " but for dimension ", dimension, ", got ", shapeText(shape)));
}

void otherGraph(const char* operation) {
  throw poplar_error(
      text(operation, ": expected what belongs to the same graph, got a part of another one"));
}

void seeds(ArrayRef<size_t> expected, Type type, ArrayRef<size_t> shape) {
  throw poplar_error(text("setHwSeeds: expected unsigned int ", shapeText(expected), ", got ", type,
                          " ", shapeText(shape)));
}

void replicas(size_t factor) {
  throw graph_replication_error(
      text("Graph: expected a replication factor of 1, which is all that the emulator has, got ",
           factor));
}

void variableTooLarge(const std::string& name, size_t size) {
  throw tensor_creation_error(text("Graph::addVariable: expected variable '", name,
                                   "' to have below 2^32 elements, got ", size));
}

void elementType(const char* operation, Type type) {
  throw type_error(text(operation, ": expected an element type, got ", type));
}

void noConversion(Type type) {
  throw type_error(text("Graph: expected values of a type with conversions, got ", type));
}

void valueCount(const char* operation, size_t expected, size_t got) {
  throw tensor_creation_error(text(operation, ": expected ", expected, " values, got ", got));
}

void cloneNothing() { throw poplar_error("Graph::cloneN: expected one clone or more, got 0"); }

void tileOutOfRange(const char* operation, size_t tile, size_t tiles) {
  throw invalid_tile_mapping(text(operation, ": expected a tile below ", tiles, ", got ", tile));
}

void virtualGraphTiles(size_t begin, size_t end, size_t tiles) {
  throw poplar_error(text("Graph::createVirtualGraph: expected one tile or more of ", tiles,
                          ", got [", begin, ",", end, ")"));
}

void incompleteMapping(const char* operation, const std::string& shape) {
  throw invalid_tile_mapping(text(operation, ": expected every element of the tensor ", shape,
                                  " to have a tile, got some without"));
}

void reorderSize(size_t expected, size_t got) {
  throw poplar_error(text("Graph::reorderToSimplify: expected tensors of ", expected,
                          " elements as the first has, got ", got));
}

void duplicateHandle(const char* operation, StringRef handle) {
  throw poplar_error(text(operation, ": expected a new handle, got '", handle, "' again"));
}

void codeletExtension(const std::string& path) {
  throw file_load_error(
      text("Graph::addCodelets: expected a .gp or a source file, got '", path, "'"));
}

void streamCodelets() {
  throw file_load_error("Graph::addCodelets: expected a stream of C or C++, got another type");
}

void duplicateVertexType(const std::string& name, const std::string& first,
                         const std::string& second) {
  throw graph_object_creation_error(text("Graph::addCodelets: expected a new vertex type, got '",
                                         name, "' of '", second, "', which '", first,
                                         "' defined before"));
}

void unknownVertexType(StringRef name) {
  throw unknown_vertex_type(text("Graph::addVertex: expected a vertex type of the graph's ",
                                 "codelets, got '", name, "'"));
}

void unknownField(const std::string& vertex, StringRef field) {
  throw unknown_field(text("VertexRef: expected a field of '", vertex, "', got '", field, "'"));
}

void unknownFieldType(const std::string& vertex, const std::string& field,
                      const std::string& type) {
  throw graph_object_load_error(text("Graph::addCodelets: expected field '", vertex, ".", field,
                                     "' to have a Poplar type, got '", type, "'"));
}

void fieldIndex(const std::string& vertex, const std::string& field) {
  throw graph_connection_error(
      text("FieldRef: expected a field with elements of its own, got '", vertex, ".", field, "'"));
}

void edgeType(const FieldName& field, Type expected, Type got) {
  throw type_error(text(field.text(), " expected a tensor of type ", expected, ", got ", got));
}

void edgeSize(const FieldName& field, size_t size) {
  throw graph_connection_error(text(field.text(), " expected one element, got ", size));
}

void edgeRank(const FieldName& field, size_t expected, size_t got) {
  throw graph_connection_error(
      text(field.text(), " expected a tensor of rank ", expected, ", got rank ", got));
}

void connectsState(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected an initial value as it is state, got a tensor"));
}

void connectsRows(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected one tensor, got a list of them"));
}

void initialisesEdge(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a connection as it is an edge, got an initial value"));
}

void noState(const FieldName& field, const char* kind) {
  throw poplar_error(text(field.text(), ": expected a ", kind, " of state"));
}

void stateSize(const FieldName& field, size_t element, size_t size) {
  throw graph_connection_error(text(field.text(), " expected values below its size ", size,
                                    ", got one for element ", element));
}

void unmapped(const std::string& user, const std::string& variable, size_t element) {
  throw invalid_tile_mapping(text(user, ": expected every element to have a tile, got element ",
                                  element, " of variable '", variable, "' without one"));
}

void vertexWithoutTile(const std::string& compute_set, const std::string& vertex) {
  throw invalid_tile_mapping(text("compute set '", compute_set, "': expected every vertex to ",
                                  "have a tile, got a '", vertex, "' without one"));
}

void unconnected(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected a connection, got none"));
}

void unconnectedRow(const FieldName& field, size_t row) {
  throw graph_connection_error(
      text(field.text(), " expected a connection for each element, got none for ", row));
}

void connectedTwice(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected one connection, got several"));
}

void writesConstant(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a writeable tensor, got one with a constant"));
}

void writesConstant(const char* operation) {
  throw poplar_error(
      text(operation, ": expected a writeable destination, got one with a constant"));
}

void writesAliases(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a writeable tensor, got one with aliases"));
}

void writesAliases(const char* operation) {
  throw poplar_error(text(operation, ": expected a writeable destination, got one with aliases"));
}

void shortSpan(const FieldName& field, size_t size, size_t limit) {
  throw graph_connection_error(
      text(field.text(), " expected at most ", limit, " elements for SHORT_SPAN, got ", size));
}

void race(const std::string& compute_set, const std::string& variable, size_t element,
          const std::string& writer, const std::string& how, const std::string& other) {
  throw graph_connection_error(text("compute set '", compute_set, "': expected an element that ",
                                    writer, " writes to be no other vertex's, got element ",
                                    element, " of variable '", variable, "' ", how, " by ", other));
}

void sharesWord(const std::string& compute_set, const std::string& variable, size_t element,
                size_t tile, const std::string& writer, const std::string& other) {
  throw graph_connection_error(
      text("compute set '", compute_set, "': expected the 32-bit words that a vertex of tile ",
           tile, " writes to be no other vertex's, got that of element ", element, " of variable '",
           variable, "' written in part by ", writer, " and in part by ", other));
}

void outOfMemory(size_t tile, size_t bytes, size_t limit) {
  throw graph_memory_allocation_error(
      text("Out of memory: Cannot fit all variable data onto one or more tiles, expected at most ",
           limit, " bytes on each, got ", bytes, " on tile ", tile));
}

void copyType(Type from, Type to) {
  throw type_error(text("Copy: expected a destination of the source's type ", from, ", got ", to));
}

void copySize(size_t from, size_t to) {
  throw poplar_error(
      text("Copy: expected a destination of the source's ", from, " elements, got ", to));
}

void streamDirection(const std::string& handle, bool to_device) {
  throw poplar_error(text("Copy: expected a stream ", to_device ? "from" : "to", " the host, got '",
                          handle, "' of the other direction"));
}

void remoteSize(const std::string& handle, size_t rows, size_t row, size_t got) {
  throw poplar_error(text("Copy: expected a tensor of ", rows, " rows of ", row,
                          " elements for remote buffer '", handle, "', got ", got, " elements"));
}

void offsetType(const std::string& handle, Type type) {
  throw type_error(text("Copy: expected offsets of type int or unsigned int for remote buffer '",
                        handle, "', got ", type));
}

void hostArguments(const std::string& handle, const char* list, size_t expected, size_t got) {
  throw graph_connection_error(
      text("Call: expected ", expected, " ", list, " for host function '", handle, "', got ", got));
}

void hostArgument(const std::string& handle, const char* list, size_t i,
                  const std::string& expected, const std::string& got) {
  throw graph_connection_error(text("Call: expected ", expected, " as ", list, " ", i,
                                    " of host function '", handle, "', got ", got));
}

void predicate(const char* operation, const std::string& shape) {
  throw control_program_error(
      text(operation, ": expected a predicate of one element, got shape ", shape));
}

void predicateType(const char* operation, Type type) {
  throw control_program_error(
      text(operation, ": expected a predicate of an integral type, got ", type));
}

void switchType(Type type) {
  throw control_program_error(
      text("Switch: expected a control of type int or unsigned int, got ", type));
}

void duplicateCase(int32_t value) {
  throw control_program_error(text("Switch::add: expected a new case, got ", value, " again"));
}

void otherFunction() {
  throw control_program_error(
      "Copy: expected the function of the function buffer, got another one");
}

void unknownHandle(const char* operation, StringRef handle) {
  throw stream_connection_error(
      text(operation, ": expected a handle of the graph, got '", handle, "'"));
}

void bufferSize(const char* operation, StringRef handle, size_t expected, size_t got) {
  throw tensor_io_state_error(
      text(operation, ": expected ", expected, " bytes for '", handle, "', got ", got));
}

void streamBuffer(StringRef handle, size_t bytes, size_t got) {
  throw stream_connection_error(text("Engine::connectStream: expected a multiple of ", bytes,
                                     " bytes for '", handle, "', got ", got));
}

void unconnectedStream(StringRef handle) {
  throw stream_connection_error(
      text("Engine::run: expected stream '", handle, "' to be connected, got no connection"));
}

void unconnectedHostFunction(StringRef handle) {
  throw stream_connection_error(text("Engine::run: expected host function '", handle,
                                     "' to be connected, got no connection"));
}

void remoteRow(const char* operation, StringRef handle, uint64_t row, size_t rows) {
  throw application_runtime_error(text(operation, ": expected a row below ", rows,
                                       " of remote buffer '", handle, "', got ", row));
}

void unknownReplica(const char* operation, size_t replica) {
  throw stream_connection_error(text(operation, ": expected replica 0, got ", replica));
}

void emptyExecutable(const char* operation) {
  throw poplar_error(
      text(operation, ": expected a compiled executable, got one that an Engine took over"));
}

void serializesModel(const std::string& target) {
  throw poplar_error(
      text("Executable::serialize: expected an executable for an IPU, got one for ", target));
}

void notAnExecutable() {
  throw poplar_error(
      "Executable::deserialize: expected what Executable::serialize wrote here, got other bytes");
}

void libraryIsGone(const std::string& path) {
  throw poplar_error(text("Executable::serialize: expected the codelets in '", path,
                          "', which the graph was built with, got no such file"));
}

void notLoaded(const char* operation) {
  throw poplar_error(text(operation, ": expected an Engine loaded onto a device, got none yet"));
}

void replacedOnDevice(const char* operation, size_t device) {
  throw poplar_error(text(operation, ": expected the Engine that was loaded last onto device ",
                          device, ", got one that another has replaced"));
}

void notAttached(size_t device) {
  throw poplar_error(
      text("Engine::load: expected an attached device, got device ", device, " before attach()"));
}

void otherTarget(const Target& device, const Target& graph) {
  throw poplar_error(text("Engine::load: expected a device of the graph's target (",
                          toString(graph.getTargetType()), ", ", graph.getNumTiles(),
                          " tiles), got ", toString(device.getTargetType()), ", ",
                          device.getNumTiles(), " tiles of ", device.getBytesPerTile(), " bytes"));
}

void unknownProgram(size_t program, size_t programs) {
  throw control_program_error(
      text("Engine::run: expected a program below ", programs, ", got ", program));
}

void aborted(const std::string& message) {
  throw application_runtime_error(message.empty() ? "Abort: the program ended the run" : message);
}

void notStrict() {
  throw invalid_option(
      "Engine: expected an executable that was compiled with 'emulator.strict', got one without");
}

void inputChanged(const FieldName& field, size_t element, size_t tile) {
  throw application_runtime_error(text(field.text(), " expected the vertex to leave its input, ",
                                       "got element ", element, " changed on tile ", tile));
}

void workersWrite(const FieldName& field, size_t element, size_t tile, unsigned workers) {
  throw application_runtime_error(text(field.text(), " expected each element to be written by ",
                                       "one worker, got element ", element, " written by workers ",
                                       workersText(workers), " on tile ", tile));
}

void workersShareWord(const FieldName& field, size_t element, size_t tile, unsigned workers) {
  throw application_runtime_error(
      text(field.text(), " expected each 32-bit word to be written by one worker, got the word of ",
           "element ", element, " written in part by workers ", workersText(workers), " on tile ",
           tile));
}

void workersDepend(const FieldName& field, size_t element, size_t tile) {
  throw application_runtime_error(
      text(field.text(), " expected no worker to read what another writes, got another value in ",
           "element ", element, " on tile ", tile, " when the workers ran in another order"));
}

void unknownOption(const char* operation, StringRef option) {
  throw invalid_option(text(operation, ": expected an option that it has, got '", option, "'"));
}

void optionValue(const char* operation, StringRef option, const char* expected, StringRef got) {
  throw invalid_option(
      text(operation, ": expected ", expected, " for '", option, "', got '", got, "'"));
}

void missingEstimate(const std::string& compute_set, const std::string& vertex) {
  throw missing_perf_estimate(
      text("profile: compute set '", compute_set, "': expected an estimate for vertex '", vertex,
           "' by Graph::setPerfEstimate or Graph::registerPerfEstimator, got none"));
}

void profileWithoutGraph(const char* why) {
  throw profiling_disabled(
      text("profile: expected the graph as it was compiled, or the Engine option debug.instrument, "
           "got a graph that ",
           why));
}

void noProfileOnCpu() {
  throw profiling_disabled("profile: expected an IPU or an IPUModel, got a CPU");
}

void missingOption(StringRef option) {
  throw invalid_option(text("OptionFlags::at: expected an option that is set, got '", option, "'"));
}

void jsonOptions(const std::string& json, size_t at, const char* expected) {
  throw parse_error(text("readJSON: expected ", expected, " at character ", at, ", got '",
                         json.substr(std::min(at, json.size()), 20), "'"));
}

void unknownDevice(size_t id, size_t devices) {
  throw poplar_error(
      text("DeviceManager::getDevice: expected an id below ", devices, ", got ", id));
}

void virtualDeviceTiles(size_t tiles, size_t limit) {
  throw poplar_error(
      text("Device::createVirtualDevice: expected 1 to ", limit, " tiles per IPU, got ", tiles));
}

void unknownIpu(const std::string& version) {
  throw invalid_machine_model(
      text("IPUModel: expected 'ipu1', 'ipu2' or 'ipu21', got '", version, "'"));
}

void emptyModel(size_t ipus, size_t tiles, size_t workers) {
  throw invalid_machine_model(text("IPUModel: expected at least one IPU, tile and worker, got ",
                                   ipus, ", ", tiles, " and ", workers));
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
