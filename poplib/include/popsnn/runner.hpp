// A network on a device: built once, run by program with the caller's host buffers.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <poplar/Device.hpp>
#include <poplar/Engine.hpp>
#include <poplar/OptionFlags.hpp>

#include "popsnn/build.hpp"
#include "popsnn/code_memory.hpp"

namespace popsnn {

struct HostBuffer {
  std::string name;
  void* data;
  std::size_t bytes;
};

class Runner {
 public:
  // Plans, builds and loads `network` on `device`, which it keeps: it may be attached to IPUs,
  // which a device detaches from where it ends. `codelets` is the path of the project's compiled
  // codelets, whose sources lie next to them, `options` are the Engine's. Throws what the planner
  // and Poplar throw.
  Runner(const NetworkSpec& network, poplar::Device device, const std::string& codelets,
         const PlanOptions& plan_options = {}, const poplar::OptionFlags& options = {});

  // Runs one program, one at a time, with a buffer for each of its streams; throws
  // std::invalid_argument, naming the stream, where one is missing or of another size.
  void run(ProgramId id, const std::vector<HostBuffer>& buffers);

  // With the axonal delays as the device takes them (plan_delays).
  const NetworkSpec& network() const { return planned_.network; }
  const Plan& plan() const { return planned_.plan; }
  // By layer and source: the planner's costs of its weight gradient.
  const std::vector<std::vector<GradientCost>>& gradients() const { return gradients_; }
  // By tile: the bytes that the planner estimated, but for code, and the code.
  const std::vector<std::size_t>& planned_bytes() const { return planned_bytes_; }
  const TileCode& planned_code() const { return planned_code_; }
  poplar::Engine& engine() { return *engine_; }
  const std::vector<HostStream>& streams(ProgramId id) const { return streams_[unsigned(id)]; }

 private:
  poplar::Device device_;  // outlives the engine, which is loaded on it
  PlannedNetwork planned_;
  std::vector<std::vector<GradientCost>> gradients_;
  std::vector<std::size_t> planned_bytes_;
  TileCode planned_code_;
  std::vector<std::vector<HostStream>> streams_;
  std::unique_ptr<poplar::Engine> engine_;
  std::mutex running_;
};

}  // namespace popsnn
