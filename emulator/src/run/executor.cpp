#include "run/executor.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <iostream>
#include <mutex>
#include <poplar/Device.hpp>
#include <poplar/emulator/device/NotEmulated.hpp>
#include <poplar/exceptions.hpp>
#include <thread>

#include "api/access.hpp"
#include "api/target.hpp"
#include "api/types.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "model/profile.hpp"
#include "run/interrupt.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void notLoaded(const char* operation) {
  throw poplar_error(text(operation, ": expected an Engine loaded onto a device, got none yet"));
}

[[noreturn]] void replacedOnDevice(const char* operation, size_t device) {
  throw poplar_error(text(operation, ": expected the Engine that was loaded last onto device ",
                          device, ", got one that another has replaced"));
}

[[noreturn]] void notAttached(size_t device) {
  throw poplar_error(
      text("Engine::load: expected an attached device, got device ", device, " before attach()"));
}

[[noreturn]] void otherTarget(const Target& device, const Target& graph) {
  throw poplar_error(text("Engine::load: expected a device of the graph's target (",
                          toString(graph.getTargetType()), ", ", graph.getNumTiles(),
                          " tiles), got ", toString(device.getTargetType()), ", ",
                          device.getNumTiles(), " tiles of ", device.getBytesPerTile(), " bytes"));
}

[[noreturn]] void shortBuffer(const char* operation, StringRef handle, size_t expected,
                              size_t got) {
  throw tensor_io_state_error(
      text(operation, ": expected at least ", expected, " bytes for '", handle, "', got ", got));
}

[[noreturn]] void unknownProgram(size_t program, size_t programs) {
  throw control_program_error(
      text("Engine::run: expected a program below ", programs, ", got ", program));
}

[[noreturn]] void aborted(const std::string& message) {
  throw application_runtime_error(message.empty() ? "Abort: the program ended the run" : message);
}

[[noreturn]] void notEmulated(const ComputePlan& plan, const char* what) {
  throw application_runtime_error(
      text("Engine::run: ", plan.text, ": ", what, " is not emulated: expected C++ without it"));
}

}  // namespace

}  // namespace errors

namespace {

// A shorter run does not pay for the hand-over to other threads.
constexpr double kTogetherNs = 4000;
constexpr uint32_t kRunsPerTrial = 256;
constexpr unsigned kChunksPerThread = 8;
// Gather buffers of a chunk should still be in the cache when its vertices run.
constexpr uint32_t kMaxGatherChunk = 256;

constexpr auto kPollInterval = std::chrono::milliseconds(100);
constexpr uint32_t kInstructionsPerPoll = 64;
// Vertices of about as many nanoseconds run without a poll between them.
constexpr double kBlockNs = 10e6;

void cutChunks(ComputePlan& plan, unsigned threads) {
  size_t vertices = 0;
  for (const Batch& b : plan.batches) vertices += b.count;
  const size_t target = threads == 1 ? 1 : threads * kChunksPerThread;
  const uint32_t even =
      static_cast<uint32_t>(std::max<size_t>(1, (vertices + target - 1) / target));
  for (uint32_t b = 0; b < plan.batches.size(); ++b) {
    const uint32_t n = plan.batches[b].count;
    const uint32_t size = plan.batches[b].gathers ? std::min(even, kMaxGatherChunk) : even;
    for (uint32_t at = 0; at < n; at += size)
      plan.chunks.push_back({b, at, std::min(size, n - at)});
  }
}

// How many vertices run without a poll between them, as far as earlier runs tell.
uint32_t blockOf(const ComputePlan& plan) {
  const double ns = plan.alone_ns / static_cast<double>(plan.vertices);
  if (ns == 0) return 1;
  return static_cast<uint32_t>(std::min(std::max(kBlockNs / ns, 1.0), 1e9));
}

// Whether to run on all threads: the alternative that was faster recently. Work changes with the
// data and the load of the machine with time, so the other alternative is tried now and then.
bool runsTogether(ComputePlan& plan) {
  if (plan.alone_ns == 0 || plan.alone_ns < kTogetherNs) return false;
  if (plan.together_ns == 0) return true;
  const bool faster = plan.together_ns < plan.alone_ns;
  return ++plan.runs % kRunsPerTrial == 0 ? !faster : faster;
}

void average(double* estimate, double measured) {
  *estimate += *estimate == 0 ? measured : (measured - *estimate) / 4;
}

}  // namespace

Executor::Executor(std::unique_ptr<Image> image, const EngineOptions& options)
    : image_(std::move(image)),
      pool_(options.threads),
      connections_(image_->streams.size()),
      host_functions_(image_->host_functions.size()),
      prefetch_(options.prefetch),
      counters_(image_->num_counters),
      executed_(image_->code.size()),
      discarded_(image_->code.size()),
      trace_(*image_),
      print_stream_(&std::cerr),
      report_directory_(image_->target.getTargetType() == TargetType::CPU
                            ? std::string()
                            : options.report_directory) {
  if (image_->source && image_->costs.empty() && options.retains_graph) {
    image_->graph = std::make_shared<CompiledGraph>();
    image_->graph->kept = std::make_shared<GraphData>(std::move(image_->source->graph));
  }
  image_->source.reset();
  calls_.reserve(image_->call_depth + 1);
  for (ComputePlan& plan : image_->compute_plans) cutChunks(plan, pool_.size());
  for (const RemoteBuffer& b : image_->remote_buffers) {
    remote_memory_.emplace_back(b.getRepeats() * b.numElements() * sizeOf(b.elementType()));
  }
  for (size_t i = 0; i < host_functions_.size(); ++i) {
    const HostFunctionData& f = image_->host_functions[i];
    for (const auto& a : f.inputs) {
      host_functions_[i].inputs.emplace_back(a.numElements * sizeOf(a.elementType));
    }
    for (const auto& a : f.outputs) {
      host_functions_[i].outputs.emplace_back(a.numElements * sizeOf(a.elementType));
    }
  }
}

void Executor::load(const Device& device) {
  if (device.getTarget() != image_->target) {
    errors::otherTarget(device.getTarget(), image_->target);
  }
  if (device.getTarget().getTargetType() == TargetType::IPU && !device.isAttached()) {
    errors::notAttached(device.getId());
  }
  checkMemory();
  if (image_->strict) {
    poison(image_->memory.data(), image_->memory.size());
  } else if (used_) {
    std::memset(image_->memory.data(), 0, image_->memory.size());
  }
  for (const Reset& r : image_->resets) {
    if (!r.values.empty()) std::memcpy(r.address, r.values.data(), r.values.size());
  }
  resetConnections();
  device_ = Access::data(device);
  load_ = ++device_->loads;
  used_ = true;
}

Executor::~Executor() {
  if (report_directory_.empty()) return;
  try {
    writeReport(*image_, executed_, trace_, report_directory_);
  } catch (const std::exception& e) {
    std::cerr << "Engine: the report was not written: " << e.what() << '\n';
  }
}

// A device has no room for what an executable that was compiled with debug.allowOutOfMemory holds
// beyond it; models and CPUs have as much as the host.
void Executor::checkMemory() const {
  if (image_->fits || image_->target.getTargetType() != TargetType::IPU) return;
  const size_t limit = image_->target.getBytesPerTile();
  const std::vector<size_t>& bytes = image_->bytes_per_tile;
  size_t tile = 0;
  while (bytes[tile] <= limit) ++tile;
  errors::outOfMemory(tile, bytes[tile], limit);
}

// Streams begin anew, and nothing stays that was fetched for an earlier run.
void Executor::resetConnections() {
  for (Connection& c : connections_) {
    c.cursor = c.begin;
    if (c.prefetched) (*c.callback)->invalidatePrefetched();
    c.prefetched = false;
  }
}

void Executor::checkLoaded(const char* operation) const {
  if (!device_) errors::notLoaded(operation);
  // Memory of a device holds one engine; models and CPUs have as much as the host.
  if (image_->target.getTargetType() == TargetType::IPU && load_ != device_->loads) {
    errors::replacedOnDevice(operation, device_->id);
  }
}

size_t Executor::bytesToWrite(StringRef handle) const {
  for (const HostAccess& h : image_->host_writes) {
    if (handle == StringRef(h.name)) return h.bytes;
  }
  errors::unknownHandle("Engine::writeTensor", handle);
}

size_t Executor::bytesToRead(StringRef handle) const {
  for (const HostAccess& h : image_->host_reads) {
    if (handle == StringRef(h.name)) return h.bytes;
  }
  errors::unknownHandle("Engine::readTensor", handle);
}

void Executor::write(StringRef handle, const void* begin, size_t bytes) {
  const size_t expected = bytesToWrite(handle);
  if (bytes < expected) errors::shortBuffer("Engine::writeTensor", handle, expected, bytes);
  checkLoaded("Engine::writeTensor");
  for (const HostAccess& h : image_->host_writes) {
    if (handle != StringRef(h.name)) continue;
    runMovesBack(h.moves.data(), h.moves.size(), 0, reinterpret_cast<intptr_t>(begin));
  }
}

bool Executor::writeMetadata(StringRef handle, uint8_t bits) {
  bytesToWrite(handle);
  for (const HostAccess& h : image_->host_writes) {
    if (handle != StringRef(h.name) || h.metadata.empty()) continue;
    checkLoaded("Engine::writeTensor");
    runMovesBack(h.metadata.data(), h.metadata.size(), 0, reinterpret_cast<intptr_t>(&bits));
    return true;
  }
  return false;
}

bool Executor::readMetadata(StringRef handle, uint8_t* bits) {
  bytesToRead(handle);
  for (const HostAccess& h : image_->host_reads) {
    if (handle != StringRef(h.name) || h.metadata.empty()) continue;
    checkLoaded("Engine::readTensor");
    runMoves(h.metadata.data(), h.metadata.size(), 0, reinterpret_cast<intptr_t>(bits));
    return true;
  }
  return false;
}

void Executor::read(StringRef handle, void* begin, size_t bytes) {
  const size_t expected = bytesToRead(handle);
  if (bytes < expected) errors::shortBuffer("Engine::readTensor", handle, expected, bytes);
  checkLoaded("Engine::readTensor");
  for (const HostAccess& h : image_->host_reads) {
    if (handle != StringRef(h.name)) continue;
    runMoves(h.moves.data(), h.moves.size(), 0, reinterpret_cast<intptr_t>(begin));
  }
}

void Connection::connect(char* first, char* last) {
  connected = true;
  begin = cursor = first;
  end = last;
}

void Connection::connect(StreamCallbackHandle to, size_t bytes) {
  connect(nullptr, nullptr);
  callback = std::make_shared<StreamCallbackHandle>(std::move(to));
  buffer.resize(bytes);
}

Connection& Executor::connection(StringRef handle, const char* operation, size_t* bytes) {
  for (size_t i = 0; i < image_->streams.size(); ++i) {
    const DataStream& s = image_->streams[i];
    if (handle != StringRef(s.handle())) continue;
    *bytes = s.numElements() * sizeOf(s.elementType());
    if (connections_[i].prefetched) (*connections_[i].callback)->invalidatePrefetched();
    connections_[i] = Connection();
    return connections_[i];
  }
  errors::unknownHandle(operation, handle);
}

// A run of a compute set.
struct Executor::Job {
  Executor* executor;
  const ComputePlan* plan;
  uint32_t block;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> ended{false};
  std::mutex mutex{};
  std::exception_ptr error{};  // the first: why it ended

  void end(std::exception_ptr why) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!error) error = why;
    ended.store(true, std::memory_order_relaxed);
  }
};

void Executor::poll(Clock::time_point now) {
  if (!interruptible_ || now - polled_ < kPollInterval) return;
  polled_ = now;
  checkInterrupt();
}

// Between vertices, on every thread; only the caller of a run may be interrupted.
bool Executor::goesOn(Job& job) {
  if (std::this_thread::get_id() == job.caller && !job.ended.load(std::memory_order_relaxed)) {
    try {
      poll(Clock::now());
    } catch (...) {
      job.end(std::current_exception());
    }
  }
  return !job.ended.load(std::memory_order_relaxed);
}

// A codelet throws where it asks for what is not emulated.
void Executor::runChunk(Job& job, const Chunk& chunk) {
  try {
    runVertices(job, chunk);
  } catch (const detail::NotEmulated&) {
    job.end(std::current_exception());
  }
}

void Executor::runVertices(Job& job, const Chunk& chunk) {
  const Batch& b = job.plan->batches[chunk.batch];
  const auto run = [&] {
    char* objects = b.objects + chunk.first * b.size;
    for (uint32_t left = chunk.count;;) {
      const uint32_t n = std::min(left, job.block);
      b.run(objects, n);
      left -= n;
      if (left == 0 || !goesOn(job)) return;
      objects += n * b.size;
    }
  };
  if (!b.gathers) return run();
  const intptr_t scratch = reinterpret_cast<intptr_t>(image_->scratch.data());
  const uint32_t first = chunk.first, last = chunk.first + chunk.count - 1;
  const uint32_t begin = b.first_move[first];
  runMoves(b.moves.data() + begin, b.last_move[last] - begin, 0, scratch);
  run();
  for (uint32_t v = first; v <= last; ++v) {
    runMovesBack(b.moves.data() + b.first_written[v], b.last_move[v] - b.first_written[v], 0,
                 scratch);
  }
}

void Executor::executeTogether(Job& job) {
  pool_.run(
      [](void* context, uint32_t item) {
        Job& j = *static_cast<Job*>(context);
        if (j.ended.load(std::memory_order_relaxed)) return;
        j.executor->runChunk(j, j.plan->chunks[item]);
      },
      [](void* context) {
        Job& j = *static_cast<Job*>(context);
        j.executor->goesOn(j);
      },
      &job, static_cast<uint32_t>(job.plan->chunks.size()));
}

void Executor::execute(ComputePlan& plan) {
  const Executing executing(plan.text.c_str());
  try {
    runAll(plan);
  } catch (const detail::NotEmulated& refusal) {
    errors::notEmulated(plan, refusal.what);
  }
}

void Executor::runAll(ComputePlan& plan) {
  if (image_->strict) {
    return runStrict(plan, image_->scratch.data(), [this] { poll(Clock::now()); });
  }
  Job job{this, &plan, blockOf(plan)};
  const auto start = Clock::now();
  const bool together = plan.chunks.size() > 1 && pool_.size() > 1 && runsTogether(plan);
  if (together) {
    executeTogether(job);
  } else {
    for (size_t i = 0; i < plan.chunks.size() && !job.ended; ++i) runChunk(job, plan.chunks[i]);
  }
  if (job.error) std::rethrow_exception(job.error);
  const auto end = Clock::now();
  average(together ? &plan.together_ns : &plan.alone_ns,
          std::chrono::duration<double, std::nano>(end - start).count());
  poll(end);
}

void Executor::copy(const CopyPlan& plan) {
  const intptr_t scratch = reinterpret_cast<intptr_t>(image_->scratch.data());
  if (plan.second.empty()) {
    runMoves(plan.moves.data(), plan.moves.size(), 0, 0);
    return;
  }
  runMoves(plan.moves.data(), plan.moves.size(), 0, scratch);
  runMoves(plan.second.data(), plan.second.size(), scratch, 0);
}

void Executor::streamIn(const CopyPlan& plan, Connection& c) {
  char* from = c.cursor;
  if (c.callback) {
    from = c.buffer.data();
    if (!c.prefetched) (*c.callback)->fetch(from);
  }
  runMoves(plan.moves.data(), plan.moves.size(), reinterpret_cast<intptr_t>(from), 0);
  if (c.callback) {
    (*c.callback)->complete();
    // Ahead of need: the device computes while the host fills the buffer.
    c.prefetched = prefetch_ && (*c.callback)->prefetch(from) == StreamCallback::Result::Success;
  } else if (c.end != nullptr) {
    c.cursor += plan.bytes;
    if (c.cursor == c.end) c.cursor = c.begin;
  }
}

void Executor::streamOut(const CopyPlan& plan, Connection& c) {
  char* to = c.callback ? c.buffer.data() : c.cursor;
  runMoves(plan.moves.data(), plan.moves.size(), 0, reinterpret_cast<intptr_t>(to));
  if (c.callback) {
    (*c.callback)->fetch(to);
    (*c.callback)->complete();
  } else if (c.end != nullptr) {
    c.cursor += plan.bytes;
    if (c.cursor == c.end) c.cursor = c.begin;
  }
}

void Executor::traceStream(const Instruction& instruction) {
  const size_t index = static_cast<size_t>(&instruction - image_->code.data());
  trace_.streamCopy(image_->copies[instruction.a], image_->costs[index], cycles());
}

bool Executor::isTrue(const Predicate& p) const {
  for (uint32_t i = 0; i < p.bytes; ++i) {
    if (p.address[i] != 0) return true;
  }
  return false;
}

uint32_t Executor::caseOf(const SwitchPlan& plan) const {
  int32_t value;
  std::memcpy(&value, plan.address, sizeof(value));
  size_t i = 0;
  while (i < plan.cases.size() && plan.cases[i] != value) ++i;
  return plan.targets[i];
}

void Executor::print(const PrintPlan& plan) {
  if (!plan.title.empty()) *print_stream_ << plan.title << ": ";
  std::vector<char> data;
  for (const Block& b : plan.blocks) data.insert(data.end(), b.address, b.address + b.bytes);
  *print_stream_ << formatTensor(plan.type, plan.shape, data.data(), plan.format) << '\n'
                 << std::flush;
}

void Executor::run(unsigned program) {
  checkLoaded("Engine::run");
  if (program >= image_->entries.size()) {
    errors::unknownProgram(program, image_->entries.size());
  }
  checkConnected(program);
  calls_.clear();
  trace_.startRun();
  const bool traces_streams = profiling_ && image_->trace.streams && !image_->traced_blocks.empty();
  uint32_t pc = image_->entries[program];
  uint64_t* const executed = (profiling_ ? executed_ : discarded_).data();
  interruptible_ = handleInterrupts();
  polled_ = Clock::now();
  for (uint32_t instructions = 1;; ++instructions) {
    if (instructions % kInstructionsPerPoll == 0) poll(Clock::now());
    ++executed[pc];
    const Instruction& i = image_->code[pc++];
    switch (i.op) {
      case Op::EXECUTE:
        execute(image_->compute_plans[i.a]);
        break;
      case Op::COPY:
        copy(image_->copies[i.a]);
        break;
      case Op::STREAM_IN:
        streamIn(image_->copies[i.a], connections_[i.b]);
        if (traces_streams) traceStream(i);
        break;
      case Op::STREAM_OUT:
        streamOut(image_->copies[i.a], connections_[i.b]);
        if (traces_streams) traceStream(i);
        break;
      case Op::REMOTE_IN:
      case Op::REMOTE_OUT:
        copyRemote(image_->remote_plans[i.a], i.op == Op::REMOTE_IN);
        break;
      case Op::HOST_CALL:
        callHost(image_->host_plans[i.a]);
        break;
      case Op::CYCLE_STAMP:
      case Op::CYCLE_DIFFERENCE:
        countCycles(image_->cycle_counts[i.a], i.op == Op::CYCLE_DIFFERENCE);
        break;
      case Op::LOOP_BEGIN:
        counters_[i.a] = i.b;
        break;
      case Op::LOOP_END:
        if (--counters_[i.a] != 0) pc = i.c;
        break;
      case Op::JUMP:
        pc = i.c;
        break;
      case Op::JUMP_IF:
        if (isTrue(image_->predicates[i.a]) == (i.b != 0)) pc = i.c;
        break;
      case Op::SWITCH:
        pc = caseOf(image_->switches[i.a]);
        break;
      case Op::CALL:
        calls_.push_back(pc);
        pc = i.c;
        break;
      case Op::RETURN:
        if (calls_.empty()) return;
        pc = calls_.back();
        calls_.pop_back();
        break;
      case Op::PRINT:
        print(image_->prints[i.a]);
        break;
      case Op::ABORT:
        errors::aborted(image_->messages[i.a]);
      case Op::ERROR:
        print(image_->prints[i.b]);
        errors::aborted(image_->messages[i.a]);
      case Op::UNDEFINE:
        for (const Block& b : image_->undefined[i.a]) poison(b.address, b.bytes);
        break;
      case Op::BLOCK_BEGIN:
        if (profiling_) trace_.begin(i.a, cycles());
        break;
      case Op::BLOCK_END:
        if (profiling_) trace_.end(i.a, cycles());
        break;
    }
  }
}

}  // namespace emulator
}  // namespace poplar
