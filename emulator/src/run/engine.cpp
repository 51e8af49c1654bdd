#include <cstring>
#include <poplar/Engine.hpp>

#include "api/access.hpp"
#include "api/types.hpp"
#include "errors/errors.hpp"
#include "model/profile.hpp"
#include "run/executor.hpp"

namespace poplar {

namespace errors = emulator::errors;

using emulator::Access;
using emulator::Connection;
using emulator::Executor;
using emulator::Image;

Executable::Executable(std::unique_ptr<Image> image) : image_(std::move(image)) {}
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
  const emulator::GraphData& data = *Access::data(graph);
  if (progress) progress(0, 1);
  // A real device has no room for more; a model only tells.
  const bool must_fit = data.target.getTargetType() == TargetType::IPU;
  Executable out(emulator::buildImage(data, programs, must_fit, parsed.strict));
  Image& image = *out.image_;
  data.compiled();
  image.graph = Access::data(graph);
  image.graph_edits = data.edits;
  if (parsed.keeps_graph) image.kept_graph = Access::data(graph);
  const bool models = data.target.getTargetType() != TargetType::CPU;
  if ((parsed.profiles && models) || !image.cycle_counts.empty()) emulator::findCosts(image);
  if (must_fit) {
    out.image_->source = std::make_unique<emulator::Source>(data);
    out.image_->source->programs = programs.cloneAsVector();
  }
  if (progress) progress(1, 1);
  return out;
}

Engine::Engine(Executable&& executable, const OptionFlags& options) {
  if (!executable.image_) errors::emptyExecutable("Engine");
  const emulator::EngineOptions parsed = emulator::parseEngineOptions(options);
  if (parsed.strict && !executable.image_->strict) errors::notStrict();
  executor_.reset(new Executor(std::move(executable.image_), parsed));
}

// Where the graph is kept: compiled anew. Else what is there, which is gone from here then.
Engine::Engine(Executable& executable, const OptionFlags& options)
    : Engine(executable.image_ && executable.image_->source ? executable.remake()
                                                            : std::move(executable),
             options) {}

Executable Executable::remake() const {
  auto source = std::make_unique<emulator::Source>(*image_->source);
  std::unique_ptr<Image> image =
      emulator::buildImage(source->graph, source->programs, true, image_->strict);
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

void Engine::load(const Device& device) { executor_->load(device); }

void Engine::run(unsigned program, const std::string&) { executor_->run(program); }

void Engine::loadAndRun(const Device& device, unsigned program) {
  load(device);
  run(program);
}

void Engine::writeTensor(StringRef handle, const void* begin, const void* end) {
  executor_->write(
      handle, begin,
      static_cast<size_t>(static_cast<const char*>(end) - static_cast<const char*>(begin)));
}

void Engine::readTensor(StringRef handle, void* begin, void* end) {
  executor_->read(handle, begin,
                  static_cast<size_t>(static_cast<char*>(end) - static_cast<char*>(begin)));
}

void Engine::writeTensor(StringRef handle, const void* begin) {
  executor_->write(handle, begin, executor_->bytesToWrite(handle));
}

void Engine::readTensor(StringRef handle, void* begin) {
  executor_->read(handle, begin, executor_->bytesToRead(handle));
}

void Engine::connectStream(StringRef handle, void* begin, void* end) {
  size_t bytes = 0;
  Connection& c = executor_->connection(handle, "Engine::connectStream", &bytes);
  c.begin = c.cursor = static_cast<char*>(begin);
  c.end = static_cast<char*>(end);
  const size_t given = static_cast<size_t>(c.end - c.begin);
  if (bytes != 0 && (given == 0 || given % bytes != 0)) {
    c.connected = false;
    errors::streamBuffer(handle, bytes, given);
  }
}

void Engine::connectStream(StringRef handle, void* begin) {
  size_t bytes = 0;
  Connection& c = executor_->connection(handle, "Engine::connectStream", &bytes);
  c.begin = c.cursor = static_cast<char*>(begin);
}

void Engine::connectStreamToCallback(StringRef handle, StreamCallbackHandle callback) {
  size_t bytes = 0;
  Connection& c = executor_->connection(handle, "Engine::connectStreamToCallback", &bytes);
  c.callback = std::make_shared<StreamCallbackHandle>(std::move(callback));
  c.buffer.resize(bytes);
}

void Engine::connectStreamToCallback(StringRef handle, unsigned replica,
                                     StreamCallbackHandle callback) {
  if (replica != 0) errors::unknownReplica("Engine::connectStreamToCallback", replica);
  connectStreamToCallback(handle, std::move(callback));
}

void Engine::connectHostFunction(StringRef handle, unsigned replica, HostCallbackHandle callback) {
  if (replica != 0) errors::unknownReplica("Engine::connectHostFunction", replica);
  executor_->connectHostFunction(handle, std::move(callback));
}

void Engine::copyToRemoteBuffer(const void* source, StringRef handle, uint64_t repeatIndex,
                                unsigned replica) {
  if (replica != 0) errors::unknownReplica("Engine::copyToRemoteBuffer", replica);
  size_t bytes = 0;
  char* row = executor_->remoteRow("Engine::copyToRemoteBuffer", handle, repeatIndex, &bytes);
  std::memcpy(row, source, bytes);
}

void Engine::copyFromRemoteBuffer(StringRef handle, void* destination, uint64_t repeatIndex,
                                  unsigned replica) {
  if (replica != 0) errors::unknownReplica("Engine::copyFromRemoteBuffer", replica);
  size_t bytes = 0;
  char* row = executor_->remoteRow("Engine::copyFromRemoteBuffer", handle, repeatIndex, &bytes);
  std::memcpy(destination, row, bytes);
}

void Engine::checkRemoteRow(const char* operation, StringRef handle, size_t given) const {
  size_t bytes = 0;
  executor_->remoteRow(operation, handle, 0, &bytes);
  if (given != bytes) errors::bufferSize(operation, handle, bytes, given);
}

std::string Engine::reportTiming(const TimerTimePoint& start, const TimerTimePoint& end) {
  return std::to_string(std::chrono::duration<double>(end - start).count()) + "s";
}

void Engine::setPrintStream(std::ostream& stream) { executor_->setPrintStream(stream); }

const std::vector<size_t>& Engine::getBytesPerTile() const {
  return executor_->image().bytes_per_tile;
}
bool Engine::fitsMemory() const { return executor_->image().fits; }

}  // namespace poplar
