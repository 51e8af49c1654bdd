#ifndef poplar_Engine_hpp
#define poplar_Engine_hpp

#include <chrono>
#include <iostream>  // programs for the SDK count on Engine.hpp bringing it
#include <memory>
#include <poplar/Device.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/StreamCallback.hpp>
#include <poplar/exceptions.hpp>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>  // likewise
#endif

namespace pva {
class Report;
}

namespace poplar {

namespace emulator {
class Executor;
}

/// Runs the programs of a compiled graph.
class Engine {
 public:
  explicit Engine(Executable&& executable, const OptionFlags& options = {});
  /// An executable for a device may make several engines. One for an IPUModel or a CPU is taken
  /// over by the first.
  explicit Engine(Executable& executable, const OptionFlags& options = {});
  Engine(const Graph& graph, const program::Program& program, const OptionFlags& options = {},
         ProgressFunc progress = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options = {},
         ProgressFunc progress = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(Engine&& other) noexcept;
  Engine& operator=(Engine&& other) noexcept;
  ~Engine();

  /// Puts the graph onto the device: every variable holds its initial value or zero, and streams
  /// begin at the begin of their buffers. It replaces the engine that the IPU ran before.
  void load(const Device& device);
  void run(unsigned program = 0, const std::string& debugName = "");
  void loadAndRun(const Device& device, unsigned program = 0);

  /// The byte range must be as large as the tensor of the handle at least; its begin is used.
  void writeTensor(StringRef handle, const void* begin, const void* end);
  void readTensor(StringRef handle, void* begin, void* end);
  void writeTensor(StringRef handle, const void* begin);
  template <class T>
  void writeTensor(StringRef handle, ArrayRef<T> values) {
    writeTensor(handle, values.begin(), values.end());
  }
  /// Of tensors of QUARTER, with their metadata. Throw `type_error` for other types.
  void writeTensor(StringRef handle, const QuarterMetadata& metadata, const void* begin,
                   const void* end);
  void readTensor(StringRef handle, QuarterMetadata& metadata, void* begin, void* end);
  void readTensor(StringRef handle, void* begin);

  /// With an end, each copy takes the next elements of the buffer and wraps at its end; without
  /// one, every copy uses the same elements.
  void connectStream(StringRef handle, void* begin, void* end);
  void connectStream(StringRef handle, void* begin);
  void connectStreamToCallback(StringRef handle, StreamCallbackHandle callback);
  void connectStreamToCallback(StringRef handle, unsigned replica, StreamCallbackHandle callback);
  void connectStream(const DataStream& stream, void* begin, void* end);
  void connectStream(const DataStream& stream, void* begin);
  void connectStreamToCallback(const DataStream& stream, StreamCallbackHandle callback);
  void connectStreamToCallback(const DataStream& stream, unsigned replica,
                               StreamCallbackHandle callback);

  void connectHostFunction(StringRef handle, unsigned replica, HostCallbackHandle callback);

  /// One row of a remote buffer. The pointer's memory must hold as much.
  void copyToRemoteBuffer(const void* source, StringRef handle, std::uint64_t repeatIndex,
                          unsigned replica = 0);
  void copyFromRemoteBuffer(StringRef handle, void* destination, std::uint64_t repeatIndex,
                            unsigned replica = 0);

  template <class T>
  void copyToRemoteBuffer(ArrayRef<T> source, StringRef handle, std::uint64_t repeatIndex,
                          unsigned replica = 0) {
    checkRemoteRow("Engine::copyToRemoteBuffer", handle, source.size() * sizeof(T));
    copyToRemoteBuffer(source.data(), handle, repeatIndex, replica);
  }
  template <class T>
  void copyFromRemoteBuffer(StringRef handle, ArrayRef<T> destination, std::uint64_t repeatIndex,
                            unsigned replica = 0) {
    checkRemoteRow("Engine::copyFromRemoteBuffer", handle, destination.size() * sizeof(T));
    copyFromRemoteBuffer(handle, const_cast<T*>(destination.data()), repeatIndex, replica);
  }

  /// Where PrintTensor writes; std::cerr unless set.
  void setPrintStream(std::ostream& stream);
  void setPrintTensorStream(std::ostream& stream) { setPrintStream(stream); }

  /// Times of the host.
  typedef std::chrono::steady_clock::time_point TimerTimePoint;
  TimerTimePoint getTimeStamp() const { return std::chrono::steady_clock::now(); }
  static std::string reportTiming(const TimerTimePoint& start, const TimerTimePoint& end);

  /// Writes the modelled memory and cycles. Throws `missing_perf_estimate` where a vertex of an
  /// IPUModel has no estimate.
  void printProfileSummary(std::ostream& stream, const OptionFlags& options = {}) const;
  /// The compilation report, as <pva/pva.hpp> declares it. The SDK's library for profiles, libpva,
  /// is closed and its reports are large: this one has sizes of the graph and the modelled bytes of
  /// each tile. Cycles are told by printProfileSummary and <poplar/emulator/Profile.hpp>.
  pva::Report getReport(bool reportExecution = true) const;
  /// The same as values, which serializeToJSON writes: of the graph, and of the runs.
  ProfileValue getGraphProfile() const;
  ProfileValue getExecutionProfile() const;
  /// Whether runs count in the profile; they do at first.
  void enableExecutionProfiling();
  void disableExecutionProfiling();
  void resetExecutionProfile();

  const std::vector<std::size_t>& getBytesPerTile() const;
  bool fitsMemory() const;

 private:
  friend struct emulator::Access;
  void checkRemoteRow(const char* operation, StringRef handle, std::size_t bytes) const;
  std::unique_ptr<emulator::Executor> executor_;
};

}  // namespace poplar

#endif  // poplar_Engine_hpp
