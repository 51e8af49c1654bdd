#include <cstring>
#include <poplar/Engine.hpp>
#include <poplar/emulator/QuarterBits.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/types.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "model/profile.hpp"
#include "run/executor.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void streamBuffer(StringRef handle, size_t bytes, size_t got) {
  throw stream_connection_error(text("Engine::connectStream: expected a multiple of ", bytes,
                                     " bytes for '", handle, "', got ", got));
}

[[noreturn]] void noBuffer(const char* operation, StringRef handle, size_t bytes) {
  throw stream_connection_error(
      text(operation, ": expected ", bytes, " bytes for '", handle, "', got a null pointer"));
}

[[noreturn]] void bufferEnds(const char* operation, StringRef handle) {
  throw stream_connection_error(text(operation, ": expected a buffer for '", handle,
                                     "' that ends after its begin, got one that ends before"));
}

[[noreturn]] void noCallback(const char* operation, StringRef handle) {
  throw stream_connection_error(
      text(operation, ": expected a callback for '", handle, "', got none"));
}

[[noreturn]] void noEngine(const char* operation) {
  throw poplar_error(text(operation, ": expected an Engine, got one that was moved from"));
}

[[noreturn]] void metadataOfTensor(const char* operation, StringRef handle) {
  throw type_error(text(operation, ": expected a tensor of quarter for '", handle,
                        "', got one of a type without metadata"));
}

[[noreturn]] void noGraph(const char* operation) {
  throw poplar_error(text(operation, ": expected a graph, got one that was moved from"));
}

[[noreturn]] void notStrict() {
  throw invalid_option(
      "Engine: expected an executable that was compiled with 'emulator.strict', got one without");
}

}  // namespace

}  // namespace errors
}  // namespace emulator

namespace errors = emulator::errors;

using emulator::Access;
using emulator::Connection;
using emulator::Executor;
using emulator::Image;

namespace emulator {

Executor& Access::executor(const Engine& e, const char* operation) {
  if (!e.executor_) errors::noEngine(operation);
  return *e.executor_;
}

}  // namespace emulator

namespace {

void checkBuffer(const char* operation, StringRef handle, const void* buffer, size_t bytes) {
  if (bytes != 0 && buffer == nullptr) errors::noBuffer(operation, handle, bytes);
}

// Whether a run asks for the costs of its instructions.
bool countsCycles(const Image& image) {
  return !image.cycle_counts.empty() || !image.traced_blocks.empty();
}

size_t bytesBetween(const char* operation, StringRef handle, const void* begin, const void* end) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t last = reinterpret_cast<uintptr_t>(end);
  if (last < first) errors::bufferEnds(operation, handle);
  checkBuffer(operation, handle, begin, last - first);
  return last - first;
}

}  // namespace

Executable::Executable(std::unique_ptr<Image> image) : image_(std::move(image)) {}
Executable::Executable() noexcept = default;
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(Executable&&) noexcept = default;
Executable::~Executable() = default;

const std::vector<size_t>& Executable::getBytesPerTile() const {
  if (!image_) errors::emptyExecutable("Executable::getBytesPerTile");
  return image_->bytes_per_tile;
}

bool Executable::fitsMemory() const {
  if (!image_) errors::emptyExecutable("Executable::fitsMemory");
  return image_->fits;
}

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs,
                        const OptionFlags& options, ProgressFunc progress, const DebugContext&) {
  const emulator::EngineOptions parsed = emulator::parseEngineOptions(options);
  if (!Access::data(graph)) errors::noGraph("Engine");
  const emulator::GraphData& data = *Access::data(graph);
  if (progress) progress(0, 1);
  Executable out(
      emulator::buildImage(data, programs, parsed.must_fit, parsed.strict, parsed.trace));
  Image& image = *out.image_;
  const TargetType type = data.target.getTargetType();
  if (type == TargetType::IPU) {
    image.source = std::make_unique<emulator::Source>(data);
    image.source->programs = programs.cloneAsVector();
  } else {
    image.graph = std::make_shared<emulator::CompiledGraph>();
    image.graph->graph = Access::data(graph);
    if (parsed.retains_graph && type != TargetType::CPU) image.graph->kept = Access::data(graph);
    data.compiled(image.graph);
  }
  const bool profiles = parsed.profiles && type != TargetType::CPU;
  if (profiles || countsCycles(image)) emulator::findCosts(image);
  if (progress) progress(1, 1);
  return out;
}

Engine::Engine(Executable&& executable, const OptionFlags& options) {
  if (!executable.image_) errors::emptyExecutable("Engine");
  const emulator::EngineOptions parsed = emulator::parseEngineOptions(options);
  if (parsed.strict && !executable.image_->strict) errors::notStrict();
  // Those of an executable that was read or made again are not known yet; a run needs them.
  if (countsCycles(*executable.image_)) emulator::findCosts(*executable.image_);
  executor_.reset(new Executor(std::move(executable.image_), parsed));
}

// Where the graph is retained: compiled anew. Else the compiled image, which is moved from here.
Engine::Engine(Executable& executable, const OptionFlags& options)
    : Engine(executable.image_ && executable.image_->source ? executable.remake()
                                                            : std::move(executable),
             options) {}

Executable Executable::remake() const {
  auto source = std::make_unique<emulator::Source>(*image_->source);
  std::unique_ptr<Image> image =
      emulator::buildImage(source->graph, source->programs, false, image_->strict, image_->trace);
  image->source = std::move(source);
  return Executable(std::move(image));
}

Engine::Engine(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
               ProgressFunc progress, const DebugContext& debugContext)
    : Engine(compileGraph(graph, programs, options, std::move(progress), debugContext), options) {}

Engine::Engine(const Graph& graph, const program::Program& program, const OptionFlags& options,
               ProgressFunc progress, const DebugContext& debugContext)
    : Engine(graph, ArrayRef<program::Program>(&program, 1), options, std::move(progress),
             debugContext) {}

Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

void Engine::load(const Device& device) { Access::executor(*this, "Engine::load").load(device); }

void Engine::run(unsigned program, const std::string&) {
  Access::executor(*this, "Engine::run").run(program);
}

void Engine::loadAndRun(const Device& device, unsigned program) {
  load(device);
  run(program);
}

void Engine::writeTensor(StringRef handle, const void* begin, const void* end) {
  constexpr const char* kOperation = "Engine::writeTensor";
  Access::executor(*this, kOperation)
      .write(handle, begin, bytesBetween(kOperation, handle, begin, end));
}

void Engine::readTensor(StringRef handle, void* begin, void* end) {
  constexpr const char* kOperation = "Engine::readTensor";
  Access::executor(*this, kOperation)
      .read(handle, begin, bytesBetween(kOperation, handle, begin, end));
}

void Engine::writeTensor(StringRef handle, const void* begin) {
  constexpr const char* kOperation = "Engine::writeTensor";
  Executor& executor = Access::executor(*this, kOperation);
  const size_t bytes = executor.bytesToWrite(handle);
  checkBuffer(kOperation, handle, begin, bytes);
  executor.write(handle, begin, bytes);
}

void Engine::readTensor(StringRef handle, void* begin) {
  constexpr const char* kOperation = "Engine::readTensor";
  Executor& executor = Access::executor(*this, kOperation);
  const size_t bytes = executor.bytesToRead(handle);
  checkBuffer(kOperation, handle, begin, bytes);
  executor.read(handle, begin, bytes);
}

void Engine::writeTensor(StringRef handle, const QuarterMetadata& metadata, const void* begin,
                         const void* end) {
  constexpr const char* kOperation = "Engine::writeTensor";
  Executor& executor = Access::executor(*this, kOperation);
  const size_t bytes = bytesBetween(kOperation, handle, begin, end);
  if (!executor.writeMetadata(handle, metadata.getBinary())) {
    errors::metadataOfTensor(kOperation, handle);
  }
  executor.write(handle, begin, bytes);
}

void Engine::readTensor(StringRef handle, QuarterMetadata& metadata, void* begin, void* end) {
  constexpr const char* kOperation = "Engine::readTensor";
  Executor& executor = Access::executor(*this, kOperation);
  const size_t bytes = bytesBetween(kOperation, handle, begin, end);
  uint8_t bits = 0;
  if (!executor.readMetadata(handle, &bits)) errors::metadataOfTensor(kOperation, handle);
  const emulator::QuarterFormat format = emulator::QuarterFormat::of(bits);
  metadata = QuarterMetadata(
      format.is152 ? QuarterMetadata::Format::F152 : QuarterMetadata::Format::F143, format.scale);
  executor.read(handle, begin, bytes);
}

void Engine::connectStream(StringRef handle, void* begin, void* end) {
  constexpr const char* kOperation = "Engine::connectStream";
  size_t bytes = 0;
  Connection& c = Access::executor(*this, kOperation).connection(handle, kOperation, &bytes);
  const size_t size = bytesBetween(kOperation, handle, begin, end);
  if (bytes != 0 && (size == 0 || size % bytes != 0)) {
    errors::streamBuffer(handle, bytes, size);
  }
  c.connect(static_cast<char*>(begin), static_cast<char*>(end));
}

void Engine::connectStream(StringRef handle, void* begin) {
  constexpr const char* kOperation = "Engine::connectStream";
  size_t bytes = 0;
  Connection& c = Access::executor(*this, kOperation).connection(handle, kOperation, &bytes);
  checkBuffer(kOperation, handle, begin, bytes);
  c.connect(static_cast<char*>(begin), nullptr);
}

void Engine::connectStream(const DataStream& stream, void* begin, void* end) {
  connectStream(StringRef(stream.handle()), begin, end);
}

void Engine::connectStream(const DataStream& stream, void* begin) {
  connectStream(StringRef(stream.handle()), begin);
}

void Engine::connectStreamToCallback(const DataStream& stream, StreamCallbackHandle callback) {
  connectStreamToCallback(StringRef(stream.handle()), std::move(callback));
}

void Engine::connectStreamToCallback(const DataStream& stream, unsigned replica,
                                     StreamCallbackHandle callback) {
  connectStreamToCallback(StringRef(stream.handle()), replica, std::move(callback));
}

void Engine::connectStreamToCallback(StringRef handle, StreamCallbackHandle callback) {
  constexpr const char* kOperation = "Engine::connectStreamToCallback";
  size_t bytes = 0;
  Connection& c = Access::executor(*this, kOperation).connection(handle, kOperation, &bytes);
  if (callback.operator->() == nullptr) errors::noCallback(kOperation, handle);
  c.connect(std::move(callback), bytes);
}

void Engine::connectStreamToCallback(StringRef handle, unsigned replica,
                                     StreamCallbackHandle callback) {
  if (replica != 0) errors::unknownReplica("Engine::connectStreamToCallback", replica);
  connectStreamToCallback(handle, std::move(callback));
}

void Engine::connectHostFunction(StringRef handle, unsigned replica, HostCallbackHandle callback) {
  constexpr const char* kOperation = "Engine::connectHostFunction";
  if (replica != 0) errors::unknownReplica(kOperation, replica);
  Executor& executor = Access::executor(*this, kOperation);
  if (!callback.callback_) errors::noCallback(kOperation, handle);
  executor.connectHostFunction(handle, std::move(callback));
}

void Engine::copyToRemoteBuffer(const void* source, StringRef handle, uint64_t repeatIndex,
                                unsigned replica) {
  constexpr const char* kOperation = "Engine::copyToRemoteBuffer";
  if (replica != 0) errors::unknownReplica(kOperation, replica);
  size_t bytes = 0;
  char* row =
      Access::executor(*this, kOperation).remoteRow(kOperation, handle, repeatIndex, &bytes);
  checkBuffer(kOperation, handle, source, bytes);
  if (bytes != 0) std::memcpy(row, source, bytes);
}

void Engine::copyFromRemoteBuffer(StringRef handle, void* destination, uint64_t repeatIndex,
                                  unsigned replica) {
  constexpr const char* kOperation = "Engine::copyFromRemoteBuffer";
  if (replica != 0) errors::unknownReplica(kOperation, replica);
  size_t bytes = 0;
  char* row =
      Access::executor(*this, kOperation).remoteRow(kOperation, handle, repeatIndex, &bytes);
  checkBuffer(kOperation, handle, destination, bytes);
  if (bytes != 0) std::memcpy(destination, row, bytes);
}

void Engine::checkRemoteRow(const char* operation, StringRef handle, size_t size) const {
  size_t bytes = 0;
  Access::executor(*this, operation).remoteRow(operation, handle, 0, &bytes);
  if (size != bytes) errors::bufferSize(operation, handle, bytes, size);
}

std::string Engine::reportTiming(const TimerTimePoint& start, const TimerTimePoint& end) {
  return std::to_string(std::chrono::duration<double>(end - start).count()) + "s";
}

void Engine::setPrintStream(std::ostream& stream) {
  Access::executor(*this, "Engine::setPrintStream").setPrintStream(stream);
}

const std::vector<size_t>& Engine::getBytesPerTile() const {
  return Access::executor(*this, "Engine::getBytesPerTile").image().bytes_per_tile;
}
bool Engine::fitsMemory() const {
  return Access::executor(*this, "Engine::fitsMemory").image().fits;
}

}  // namespace poplar
