// Errors of engines, devices, options and profiles.
#include <algorithm>
#include <poplar/exceptions.hpp>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

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

void noBuffer(const char* operation, StringRef handle, size_t bytes) {
  throw stream_connection_error(
      text(operation, ": expected ", bytes, " bytes for '", handle, "', got a null pointer"));
}

void bufferEnds(const char* operation, StringRef handle) {
  throw stream_connection_error(text(operation, ": expected a buffer for '", handle,
                                     "' that ends after its begin, got one that ends before"));
}

void noCallback(const char* operation, StringRef handle) {
  throw stream_connection_error(
      text(operation, ": expected a callback for '", handle, "', got none"));
}

void noEngine(const char* operation) {
  throw poplar_error(text(operation, ": expected an Engine, got one that was moved from"));
}

void noGraph(const char* operation) {
  throw poplar_error(text(operation, ": expected a graph, got one that was moved from"));
}

void noStream(const char* operation) {
  throw poplar_error(text(operation, ": expected a stream to read from, got a null pointer"));
}

void cannotWrite(const char* operation) {
  throw poplar_error(text(operation,
                          ": expected a stream that takes all bytes, got one that "
                          "failed"));
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

void truncatedExecutable(size_t expected, size_t got) {
  throw poplar_error(text("Executable::deserialize: expected ", expected,
                          " bytes more of the executable, got ", got));
}

void damagedExecutable() {
  throw poplar_error(
      "Executable::deserialize: expected the bytes that Executable::serialize wrote, got other "
      "ones "
      "than their checksum tells");
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

void emptyModel(const char* operation, size_t ipus, size_t tiles, size_t workers) {
  throw invalid_machine_model(text(operation, ": expected at least one IPU, tile and worker, got ",
                                   ipus, ", ", tiles, " and ", workers));
}

void tooManyTiles(const char* operation, size_t ipus, size_t tiles) {
  throw invalid_machine_model(
      text(operation, ": expected below 2^32 - 1 tiles, got ", ipus, " IPUs of ", tiles));
}

void hostMemory(size_t bytes) {
  throw system_runtime_error(text("Engine: expected ", bytes, " bytes of the host's memory for ",
                                  "what the device holds, got none"));
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
