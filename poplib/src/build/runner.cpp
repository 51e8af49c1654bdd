#include "popsnn/runner.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <popops/codelets.hpp>

#include "plan/memory.hpp"
#include "popsnn/codelets.hpp"

namespace popsnn {

Runner::Runner(const NetworkSpec& network, poplar::Device device, const std::string& codelets,
               const PlanOptions& plan_options, const poplar::OptionFlags& options)
    : device_(std::move(device)),
      planned_(plan_delays(network, device_.getTarget(), plan_options)),
      planned_bytes_(bytes_per_tile(planned_.network, planned_.plan, device_.getTarget())),
      planned_code_(tile_code(planned_.network, planned_.plan, device_.getTarget().getNumTiles())) {
  const NetworkSpec& spec = planned_.network;
  for (std::size_t l = 0; l < spec.layers.size(); ++l)
    gradients_.push_back(gradient_costs(spec, planned_.plan, l, device_.getTarget()));
  poplar::Graph graph(device_.getTarget());
  popops::addCodelets(graph);
  add_codelets(graph, spec, codelets);
  BuiltNetwork built = build_network(graph, spec, planned_.plan, plan_options.count_cycles);
  streams_ = std::move(built.streams);
  engine_.reset(new poplar::Engine(graph, built.programs, options));
  engine_->load(device_);
}

void Runner::run(ProgramId id, const std::vector<HostBuffer>& buffers) {
  const std::string program = program_name(id);
  const std::lock_guard<std::mutex> lock(running_);
  for (const HostStream& stream : streams(id)) {
    const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                     [&](const HostBuffer& b) { return b.name == stream.name; });
    if (buffer == buffers.end())
      throw std::invalid_argument(program + ": expected a buffer '" + stream.name + "', got none");
    const std::size_t elements = std::accumulate(stream.shape.begin(), stream.shape.end(),
                                                 std::size_t{1}, std::multiplies<std::size_t>());
    const bool short_elements =
        stream.type == poplar::UNSIGNED_SHORT || stream.type == poplar::HALF;
    const std::size_t bytes = elements * (short_elements ? 2 : 4);
    if (buffer->bytes != bytes)
      throw std::invalid_argument(program + ": buffer '" + stream.name + "': expected " +
                                  std::to_string(bytes) + " bytes, got " +
                                  std::to_string(buffer->bytes));
    char* data = static_cast<char*>(buffer->data);
    engine_->connectStream(stream_handle(id, stream.name), data, data + bytes);
  }
  engine_->run(unsigned(id));
}

}  // namespace popsnn
