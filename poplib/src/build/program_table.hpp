// The programs of a network while they are built, and the streams of each.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <poplar/CycleCount.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "popsnn/build.hpp"

namespace popsnn {

// Collects programs and their streams; a stream's host order is that of the view it copies. Reads
// come last in their program.
class ProgramTable {
 public:
  explicit ProgramTable(poplar::Graph& graph)
      : graph_(graph),
        programs_(unsigned(ProgramId::Count)),
        reads_(programs_.size()),
        streams_(programs_.size()) {}

  void add(ProgramId id, const poplar::program::Program& program) { at(id).add(program); }

  void write(ProgramId id, const std::string& name, const poplar::Tensor& view) {
    const auto fifo =
        graph_.addHostToDeviceFIFO(stream_handle(id, name), view.elementType(), view.numElements());
    at(id).add(poplar::program::Copy(fifo, view));
    streams_[unsigned(id)].push_back({name, view.elementType(), view.shape(), true});
  }

  void read(ProgramId id, const std::string& name, const poplar::Tensor& view) {
    reads_[unsigned(id)].add(read_rows(id, name, view, 1));
  }

  // A read of `view` that its program runs `times` times, each time for the next rows.
  poplar::program::Copy read_rows(ProgramId id, const std::string& name, const poplar::Tensor& view,
                                  std::size_t times) {
    const auto fifo =
        graph_.addDeviceToHostFIFO(stream_handle(id, name), view.elementType(), view.numElements());
    std::vector<std::size_t> shape = view.shape();
    shape[0] *= times;
    streams_[unsigned(id)].push_back({name, view.elementType(), shape, false});
    return poplar::program::Copy(view, fifo);
  }

  // Has a program count the cycles of what it has so far, reads apart.
  void count_cycles(ProgramId id) {
    read(id, "cycles",
         poplar::cycleCount(graph_, at(id), 0, poplar::SyncType::INTERNAL, {"cycles"}));
  }

  BuiltNetwork finish() {
    BuiltNetwork built;
    for (std::size_t id = 0; id < programs_.size(); ++id) {
      programs_[id].add(reads_[id]);
      built.programs.push_back(programs_[id]);
    }
    built.streams = std::move(streams_);
    return built;
  }

 private:
  poplar::program::Sequence& at(ProgramId id) { return programs_[unsigned(id)]; }

  poplar::Graph& graph_;
  std::vector<poplar::program::Sequence> programs_, reads_;
  std::vector<std::vector<HostStream>> streams_;
};

}  // namespace popsnn
