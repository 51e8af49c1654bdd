// Runs an image.
#pragma once
#include <chrono>
#include <memory>
#include <ostream>
#include <poplar/Device.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/StreamCallback.hpp>
#include <vector>

#include "api/options.hpp"
#include "compile/image.hpp"
#include "run/block_trace.hpp"
#include "run/thread_pool.hpp"

namespace poplar {
namespace emulator {

// The host's end of a stream.
struct Connection {
  bool connected = false;
  char* begin = nullptr;
  char* end = nullptr;
  char* cursor = nullptr;
  std::shared_ptr<StreamCallbackHandle> callback;
  std::vector<char> buffer;  // of a callback
  bool prefetched = false;   // the buffer holds what the next fetch would bring

  // Without an end every copy uses the same elements.
  void connect(char* first, char* last);
  void connect(StreamCallbackHandle to, size_t bytes);
};

struct HostFunctionState {
  std::shared_ptr<HostCallbackHandle> callback;
  std::vector<std::vector<char>> inputs, outputs;
};

class Executor {
 public:
  Executor(std::unique_ptr<Image> image, const EngineOptions& options);
  // Writes the report that the options ask for, and a warning where it cannot.
  ~Executor();

  Image& image() { return *image_; }
  void load(const Device& device);
  void run(unsigned program);
  void write(StringRef handle, const void* begin, size_t bytes);
  void read(StringRef handle, void* begin, size_t bytes);
  // Of a tensor of QUARTER; false where it is of another type.
  bool writeMetadata(StringRef handle, uint8_t bits);
  bool readMetadata(StringRef handle, uint8_t* bits);
  // The bytes that a handle of writeTensor or readTensor moves.
  size_t bytesToWrite(StringRef handle) const;
  size_t bytesToRead(StringRef handle) const;
  // The connection of a stream, with what was connected before gone.
  Connection& connection(StringRef handle, const char* operation, size_t* bytes);
  void connectHostFunction(StringRef handle, HostCallbackHandle callback);
  // The memory of one row of a remote buffer.
  char* remoteRow(const char* operation, StringRef handle, uint64_t row, size_t* bytes);
  // [instruction]: how often it ran while runs counted.
  const std::vector<uint64_t>& executed() const { return executed_; }
  void setProfiling(bool on) { profiling_ = on; }
  void resetProfile() {
    executed_.assign(executed_.size(), 0);
    trace_.clear();
  }
  const BlockTrace& trace() const { return trace_; }
  void setPrintStream(std::ostream& stream) { print_stream_ = &stream; }

 private:
  struct Job;
  using Clock = std::chrono::steady_clock;

  void execute(ComputePlan& plan);
  void runAll(ComputePlan& plan);
  void executeTogether(Job& job);
  void runChunk(Job& job, const Chunk& chunk);
  void runVertices(Job& job, const Chunk& chunk);
  bool goesOn(Job& job);
  void poll(Clock::time_point now);
  void copy(const CopyPlan& plan);
  void streamIn(const CopyPlan& plan, Connection& connection);
  void streamOut(const CopyPlan& plan, Connection& connection);
  void copyRemote(const RemotePlan& plan, bool in);
  void callHost(const HostPlan& plan);
  void checkConnected(unsigned program) const;
  bool isTrue(const Predicate& p) const;
  uint32_t caseOf(const SwitchPlan& plan) const;
  uint64_t cycles() const;
  void countCycles(char* at, bool difference) const;
  void traceStream(const Instruction& instruction);
  void print(const PrintPlan& plan);
  void checkLoaded(const char* operation) const;
  void checkMemory() const;
  void resetConnections();

  std::unique_ptr<Image> image_;
  ThreadPool pool_;
  std::vector<Connection> connections_;            // [stream]
  std::vector<HostFunctionState> host_functions_;  // [host function]
  std::vector<Region> remote_memory_;              // [remote buffer]
  const bool prefetch_;
  std::vector<uint32_t> counters_, calls_;
  std::vector<uint64_t> executed_, discarded_;
  bool profiling_ = true;
  BlockTrace trace_;
  std::ostream* print_stream_;
  std::string report_directory_;        // empty: no report is written
  std::shared_ptr<DeviceData> device_;  // that it was loaded onto
  uint64_t load_ = 0;                   // the device's number of that load
  bool used_ = false;
  bool interruptible_ = false;  // of the current run
  Clock::time_point polled_;
};

// The text that PrintTensor gives for elements in row-major order.
std::string formatTensor(Type type, const std::vector<size_t>& shape, const char* data,
                         const PrintTensorFmt& format);

}  // namespace emulator
}  // namespace poplar
