#include "model/profile.hpp"

#include <algorithm>
#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "model/cycles.hpp"
#include "model/cycles_table.hpp"
#include "run/executor.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void profileWithoutGraph() {
  throw profiling_disabled(
      "profile: expected the graph as it was compiled, got one that is gone or has changed, and "
      "the "
      "Engine option debug.retainDebugInformation=false");
}

[[noreturn]] void noProfileOnCpu() {
  throw profiling_disabled("profile: expected an IPU or an IPUModel, got a CPU");
}

}  // namespace

}  // namespace errors

CyclesByKind& CyclesByKind::operator+=(const CyclesByKind& other) {
  compute += other.compute;
  computeBusy += other.computeBusy;
  exchange += other.exchange;
  globalExchange += other.globalExchange;
  hostExchange += other.hostExchange;
  sync += other.sync;
  wait += other.wait;
  return *this;
}

CyclesByKind CyclesByKind::operator*(double n) const {
  CyclesByKind out;
  out.compute = n * compute;
  out.computeBusy = n * computeBusy;
  out.exchange = n * exchange;
  out.globalExchange = n * globalExchange;
  out.hostExchange = n * hostExchange;
  out.sync = n * sync;
  out.wait = n * wait;
  return out;
}

namespace {

bool isStream(Op op) { return op == Op::STREAM_IN || op == Op::STREAM_OUT; }
bool isCopy(Op op) { return op == Op::COPY || isStream(op); }
bool isRemote(Op op) { return op == Op::REMOTE_IN || op == Op::REMOTE_OUT; }

// The name of a step's kind; nullptr for an instruction that costs nothing.
const char* kindOf(Op op) {
  switch (op) {
    case Op::EXECUTE:
      return "Execute";
    case Op::COPY:
      return "Copy";
    case Op::STREAM_IN:
    case Op::STREAM_OUT:
      return "StreamCopy";
    case Op::REMOTE_IN:
    case Op::REMOTE_OUT:
      return "RemoteCopy";
    case Op::HOST_CALL:
      return "HostCall";
    case Op::JUMP_IF:
    case Op::SWITCH:
      return "Branch";
    default:
      return nullptr;
  }
}

std::string nameOf(const Image& image, const Instruction& i) {
  if (i.op == Op::EXECUTE) return image.compute_plans[i.a].name;
  if (isCopy(i.op)) return image.copies[i.a].name;
  if (isRemote(i.op)) return image.remote_buffers[image.remote_plans[i.a].buffer].handle();
  if (i.op == Op::HOST_CALL) return image.host_functions[image.host_plans[i.a].function].name;
  return "";
}

// Of an instruction that moves data out of or into the IPUs.
StepCost hostCost(const Image& image, const CycleModel& model, const Instruction& i) {
  if (isStream(i.op)) return model.stream(*image.copies[i.a].source, model::kHostBytesPerSecond);
  if (isRemote(i.op)) {
    return model.stream(*image.remote_plans[i.a].tensor, model::kRemoteBytesPerSecond);
  }
  StepCost out;
  for (const ViewPtr& tensor : image.host_plans[i.a].tensors) {
    const StepCost cost = model.stream(*tensor, model::kHostBytesPerSecond);
    out.exchange += cost.exchange;
    out.host += cost.host;
    out.sync = cost.sync;
  }
  return out;
}

CyclesByKind byKind(const StepCost& cost) {
  CyclesByKind out;
  out.compute = cost.compute_mean;
  out.computeBusy = cost.busy_mean;
  out.exchange = static_cast<double>(cost.exchange);
  out.globalExchange = static_cast<double>(cost.global_exchange);
  out.hostExchange = static_cast<double>(cost.host);
  out.sync = static_cast<double>(cost.sync);
  out.wait = static_cast<double>(cost.compute) - cost.compute_mean;
  return out;
}

void countGraph(const Image& image, Profile& profile) {
  for (const ComputePlan& plan : image.compute_plans) {
    for (const Batch& b : plan.batches) profile.numVertices += b.count;
    profile.numEdges += plan.edges;
  }
  profile.numComputeSets = image.compute_plans.size();
  profile.numVariables = image.offsets.size();
}

void countMemory(const Image& image, Profile& profile) {
  const size_t tiles = image.bytes_per_tile.size();
  profile.alwaysLiveBytesPerTile.resize(tiles);
  profile.notAlwaysLiveBytesPerTile.resize(tiles);
  for (size_t k = 0; k < kMemoryKinds; ++k) {
    const MemoryKind kind = static_cast<MemoryKind>(k);
    const std::vector<size_t>& bytes = image.bytes_by_kind[k];
    std::vector<size_t>& total =
        isAlwaysLive(kind) ? profile.alwaysLiveBytesPerTile : profile.notAlwaysLiveBytesPerTile;
    for (size_t t = 0; t < tiles; ++t) total[t] += bytes[t];
    profile.bytesPerTile[name(kind)] = bytes;
  }
}

}  // namespace

Profile graphProfile(const Image& image) {
  Profile out;
  countGraph(image, out);
  countMemory(image, out);
  return out;
}

void findCosts(Image& image) {
  if (image.target.getTargetType() == TargetType::CPU) errors::noProfileOnCpu();
  if (image.costs.size() == image.code.size()) return;
  const std::shared_ptr<const GraphData> compiled = image.graph ? image.graph->get() : nullptr;
  const GraphData* graph = image.source ? &image.source->graph : compiled.get();
  if (graph == nullptr) errors::profileWithoutGraph();
  CycleModel model(*graph);
  std::vector<StepCost> compute_sets;
  for (const ComputePlan& plan : image.compute_plans) {
    compute_sets.push_back(model.computeSet(plan.compute_set));
  }
  std::vector<StepCost> costs(image.code.size());
  for (size_t i = 0; i < costs.size(); ++i) {
    const Instruction& instruction = image.code[i];
    switch (instruction.op) {
      case Op::EXECUTE:
        costs[i] = compute_sets[instruction.a];
        break;
      case Op::COPY: {
        const CopyPlan& plan = image.copies[instruction.a];
        costs[i] = model.copy(*plan.source, *plan.destination);
        break;
      }
      case Op::STREAM_IN:
      case Op::STREAM_OUT:
      case Op::REMOTE_IN:
      case Op::REMOTE_OUT:
      case Op::HOST_CALL:
        costs[i] = hostCost(image, model, instruction);
        // Copies that follow each other in one direction go in one exchange with the host.
        if (i != 0 && image.code[i - 1].op == instruction.op) costs[i].sync = 0;
        break;
      case Op::JUMP_IF:
      case Op::SWITCH:
        costs[i] = model.branch();
        break;
      default:
        break;
    }
  }
  image.costs = std::move(costs);
  image.vertices = std::make_shared<const VertexCounts>(countVertices(*graph, image));
  image.graph.reset();
}

Profile makeProfile(const Image& image, const std::vector<uint64_t>& executed) {
  Profile out = graphProfile(image);
  if (image.vertices) {
    out.verticesPerTile = image.vertices->by_tile;
    out.emptyFields = image.vertices->empty_fields;
  }
  for (size_t i = 0; i < image.code.size(); ++i) {
    const Instruction& instruction = image.code[i];
    const char* kind = kindOf(instruction.op);
    if (kind == nullptr) continue;
    const StepCost& cost = image.costs[i];
    StepProfile step;
    step.kind = kind;
    step.name = nameOf(image, instruction);
    step.runs = executed[i];
    step.cycles = byKind(cost);
    step.exchangeBytes = cost.exchange_bytes;
    step.flops = cost.flops;
    step.computeByTile = cost.tile_compute;
    out.cycles += step.cycles * static_cast<double>(step.runs);
    out.verticesWithoutEstimate += cost.without_estimate;
    out.steps.push_back(std::move(step));
  }
  return out;
}

Profile getProfile(const Engine& engine) {
  Executor& executor = Access::executor(engine, "getProfile");
  findCosts(executor.image());
  return makeProfile(executor.image(), executor.executed());
}

}  // namespace emulator

using emulator::Access;

void Engine::printProfileSummary(std::ostream& out, const OptionFlags& options) const {
  const bool steps = emulator::showsExecutionSteps(options);
  emulator::Executor& executor = Access::executor(*this, "Engine::printProfileSummary");
  emulator::printSummary(out, executor.image(), emulator::getProfile(*this), steps);
}

void Engine::enableExecutionProfiling() {
  Access::executor(*this, "Engine::enableExecutionProfiling").setProfiling(true);
}
void Engine::disableExecutionProfiling() {
  Access::executor(*this, "Engine::disableExecutionProfiling").setProfiling(false);
}
void Engine::resetExecutionProfile() {
  Access::executor(*this, "Engine::resetExecutionProfile").resetProfile();
}

}  // namespace poplar
