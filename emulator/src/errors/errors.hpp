// Every error of the runtime: one function, one sentence.
#pragma once
#include <cstddef>
#include <cstdint>
#include <poplar/ArrayRef.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <string>

namespace poplar {
namespace emulator {
namespace errors {

// Where a vertex's field went wrong.
struct FieldName {
  std::string operation, vertex, field;
  std::string text() const { return operation + ": field '" + vertex + "." + field + "'"; }
};

std::string shapeText(ArrayRef<size_t> shape);  // {2,3}

// Views: index_error, or poplar_error where no index is at fault.
[[noreturn]] void invalidTensor(const char* operation);
[[noreturn]] void dimensionOutOfRange(const char* operation, size_t dimension, size_t rank);
[[noreturn]] void dimensionRange(const char* operation, size_t begin, size_t end, size_t rank);
[[noreturn]] void indexOutOfRange(const char* operation, size_t i, size_t dimension, size_t size);
[[noreturn]] void sliceOutOfRange(size_t begin, size_t end, size_t dimension, size_t size);
[[noreturn]] void sliceBounds(size_t begins, size_t ends, size_t rank);
[[noreturn]] void reshapeCount(ArrayRef<size_t> from, ArrayRef<size_t> to);
[[noreturn]] void squeezeSize(size_t dimension, size_t size);
[[noreturn]] void notAPermutation(const char* operation, ArrayRef<unsigned> list, size_t rank);
[[noreturn]] void shuffleLists(size_t source, size_t destination);
[[noreturn]] void zeroStride();
[[noreturn]] void reinterpretSize(Type from, Type to);
[[noreturn]] void tooManyElements(const char* operation, ArrayRef<size_t> shape);
[[noreturn]] void productOverflows(const char* operation, size_t a, size_t b);
[[noreturn]] void noMetadata(Type type);
[[noreturn]] void concatNothing();
[[noreturn]] void concatType(size_t i, Type type, Type expected);
[[noreturn]] void concatShape(size_t i, ArrayRef<size_t> shape, ArrayRef<size_t> expected,
                              size_t dimension);

// Graph construction.
[[noreturn]] void otherGraph(const char* operation);
[[noreturn]] void seeds(ArrayRef<size_t> expected, Type type, ArrayRef<size_t> shape);
[[noreturn]] void replicas(size_t factor);
[[noreturn]] void variableTooLarge(const char* operation, const std::string& name,
                                   ArrayRef<size_t> shape);
[[noreturn]] void tooManyVariables();
[[noreturn]] void elementType(const char* operation, Type type);
[[noreturn]] void noConversion(Type type);
[[noreturn]] void valueCount(const char* operation, size_t expected, size_t got);
[[noreturn]] void cloneNothing();
[[noreturn]] void tileOutOfRange(const char* operation, size_t tile, size_t tiles);
[[noreturn]] void virtualGraphTiles(size_t begin, size_t end, size_t tiles);
[[noreturn]] void incompleteMapping(const char* operation, const std::string& shape);
[[noreturn]] void reorderSize(size_t expected, size_t got);
[[noreturn]] void duplicateHandle(const char* operation, StringRef handle);
[[noreturn]] void codeletExtension(const std::string& path);
[[noreturn]] void streamCodelets();

// Vertices.
[[noreturn]] void duplicateVertexType(const std::string& name, const std::string& first,
                                      const std::string& second);
[[noreturn]] void unknownVertexType(StringRef name);
[[noreturn]] void noVertex();
[[noreturn]] void noEstimator(StringRef vertex);
[[noreturn]] void unknownField(const std::string& vertex, StringRef field);
[[noreturn]] void unknownFieldType(const std::string& vertex, const std::string& field,
                                   const std::string& type);
[[noreturn]] void fieldIndex(const std::string& vertex, const std::string& field);
[[noreturn]] void fieldElement(const std::string& vertex, const std::string& field, size_t i);
[[noreturn]] void edgeType(const FieldName& field, Type expected, Type got);
[[noreturn]] void edgeSize(const FieldName& field, size_t size);
[[noreturn]] void fieldSize(const FieldName& field, size_t size);
[[noreturn]] void edgeRank(const FieldName& field, size_t expected, size_t got);
[[noreturn]] void connectsState(const FieldName& field);
[[noreturn]] void connectsRows(const FieldName& field);
[[noreturn]] void initialisesEdge(const FieldName& field);
[[noreturn]] void noState(const FieldName& field, const char* kind);
[[noreturn]] void stateSize(const FieldName& field, size_t element, size_t size);

// Rules that are checked when an Engine is built.
[[noreturn]] void unmapped(const std::string& user, const std::string& variable, size_t element);
[[noreturn]] void vertexWithoutTile(const std::string& compute_set, const std::string& vertex);
[[noreturn]] void unconnected(const FieldName& field);
[[noreturn]] void unconnectedRow(const FieldName& field, size_t row);
[[noreturn]] void connectedTwice(const FieldName& field);
[[noreturn]] void writesConstant(const FieldName& field);
[[noreturn]] void writesConstant(const char* operation);
[[noreturn]] void writesAliases(const FieldName& field);
[[noreturn]] void writesAliases(const char* operation);
[[noreturn]] void shortSpan(const FieldName& field, size_t size, size_t limit);
[[noreturn]] void race(const std::string& compute_set, const std::string& variable, size_t element,
                       const std::string& writer, const std::string& how, const std::string& other);
[[noreturn]] void sharesWord(const std::string& compute_set, const std::string& variable,
                             size_t element, size_t tile, const std::string& writer,
                             const std::string& other);
[[noreturn]] void outOfMemory(size_t tile, size_t bytes, size_t limit);

// Programs.
[[noreturn]] void copyType(Type from, Type to);
[[noreturn]] void copySize(size_t from, size_t to);
[[noreturn]] void streamDirection(const std::string& handle, bool to_device);
[[noreturn]] void remoteSize(const std::string& handle, size_t rows, size_t row, size_t got);
[[noreturn]] void offsetType(const std::string& handle, Type type);
[[noreturn]] void hostArguments(const std::string& handle, const char* list, size_t expected,
                                size_t got);
[[noreturn]] void hostArgument(const std::string& handle, const char* list, size_t i,
                               const std::string& expected, const std::string& got);
[[noreturn]] void predicate(const char* operation, const std::string& shape);
[[noreturn]] void predicateType(const char* operation, Type type);
[[noreturn]] void switchType(Type type);
[[noreturn]] void duplicateCase(int32_t value);
[[noreturn]] void otherFunction();

// Engines, devices, options.
[[noreturn]] void unknownHandle(const char* operation, StringRef handle);
[[noreturn]] void bufferSize(const char* operation, StringRef handle, size_t expected, size_t got);
[[noreturn]] void streamBuffer(StringRef handle, size_t bytes, size_t got);
[[noreturn]] void noBuffer(const char* operation, StringRef handle, size_t bytes);
[[noreturn]] void bufferEnds(const char* operation, StringRef handle);
[[noreturn]] void noCallback(const char* operation, StringRef handle);
[[noreturn]] void noEngine(const char* operation);
[[noreturn]] void noGraph(const char* operation);
[[noreturn]] void noStream(const char* operation);
[[noreturn]] void cannotWrite(const char* operation);
[[noreturn]] void unconnectedStream(StringRef handle);
[[noreturn]] void unconnectedHostFunction(StringRef handle);
[[noreturn]] void remoteRow(const char* operation, StringRef handle, uint64_t row, size_t rows);
[[noreturn]] void unknownReplica(const char* operation, size_t replica);
[[noreturn]] void emptyExecutable(const char* operation);
[[noreturn]] void serializesModel(const std::string& target);
[[noreturn]] void notAnExecutable();
[[noreturn]] void truncatedExecutable(size_t expected, size_t got);
[[noreturn]] void damagedExecutable();
[[noreturn]] void libraryIsGone(const std::string& path);
[[noreturn]] void notLoaded(const char* operation);
[[noreturn]] void notAttached(size_t device);
[[noreturn]] void replacedOnDevice(const char* operation, size_t device);
[[noreturn]] void otherTarget(const Target& device, const Target& graph);
[[noreturn]] void unknownProgram(size_t program, size_t programs);
[[noreturn]] void aborted(const std::string& message);
[[noreturn]] void notStrict();
// Of the strict mode, on a tile; workers as a set of bits.
[[noreturn]] void inputChanged(const FieldName& field, size_t element, size_t tile);
[[noreturn]] void workersWrite(const FieldName& field, size_t element, size_t tile,
                               unsigned workers);
[[noreturn]] void workersShareWord(const FieldName& field, size_t element, size_t tile,
                                   unsigned workers);
[[noreturn]] void workersDepend(const FieldName& field, size_t element, size_t tile);
[[noreturn]] void unknownOption(const char* operation, StringRef option);
[[noreturn]] void optionValue(const char* operation, StringRef option, const char* expected,
                              StringRef got);
[[noreturn]] void missingEstimate(const std::string& compute_set, const std::string& vertex);
[[noreturn]] void profileWithoutGraph(const char* why);
[[noreturn]] void noProfileOnCpu();
[[noreturn]] void missingOption(StringRef option);
[[noreturn]] void jsonOptions(const std::string& text, size_t at, const char* expected);
[[noreturn]] void unknownDevice(size_t id, size_t devices);
[[noreturn]] void virtualDeviceTiles(size_t tiles, size_t limit);
[[noreturn]] void unknownIpu(const std::string& version);
[[noreturn]] void emptyModel(const char* operation, size_t ipus, size_t tiles, size_t workers);
[[noreturn]] void tooManyTiles(const char* operation, size_t ipus, size_t tiles);
[[noreturn]] void hostMemory(size_t bytes);

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
