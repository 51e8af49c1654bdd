// Programs that reach the host beyond streams: remote buffers and host functions.
#include <algorithm>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/types.hpp"
#include "compile/lower.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void hostArguments(const std::string& handle, const char* list, size_t expected,
                                size_t got) {
  throw graph_connection_error(
      text("Call: expected ", expected, " ", list, " for host function '", handle, "', got ", got));
}

[[noreturn]] void hostArgument(const std::string& handle, const char* list, size_t i,
                               const std::string& expected, const std::string& got) {
  throw graph_connection_error(text("Call: expected ", expected, " as ", list, " ", i,
                                    " of host function '", handle, "', got ", got));
}

}  // namespace

}  // namespace errors

void Lowering::lowerRemote(const ProgramData& p) {
  const bool in = p.kind == ProgramKind::REMOTE_TO_TENSOR;
  RemotePlan plan;
  plan.buffer = 0;
  while (plan.buffer < data_.remote_buffers.size() &&
         data_.remote_buffers[plan.buffer].handle() != p.remote.handle()) {
    ++plan.buffer;
  }
  if (plan.buffer == data_.remote_buffers.size()) {
    errors::unknownHandle("Copy", p.remote.handle());
  }
  const RemoteBuffer& known = data_.remote_buffers[plan.buffer];
  const bool same = known.elementType() == p.remote.elementType() &&
                    known.numElements() == p.remote.numElements() &&
                    known.getRepeats() == p.remote.getRepeats();
  if (!same) errors::otherGraph("Copy");
  const View& v = checked(p.first, "Copy");
  if (in && hasConstant(v)) errors::writesConstant("Copy");
  if (in && hasAliases(v)) errors::writesAliases("Copy");
  if (p.second.valid()) plan.rows = image_.blocks(checked(p.second, "Copy"));
  plan.tensor = Access::pointer(p.first);
  const size_t row = p.remote.numElements();
  const size_t rows = row == 0 ? 0 : v.numElements() / row;
  const Tensor flat = p.first.flatten();
  plan.first.push_back(0);
  for (size_t i = 0; i < rows; ++i) {
    const Tensor slice = flat.slice(i * row, (i + 1) * row);
    const std::vector<Block> tensor = image_.blocks(Access::view(slice, "Copy"));
    const std::vector<Block> buffer{{nullptr, row * sizeOf(v.type)}};
    const std::vector<Move> moves = in ? planMoves(buffer, tensor) : planMoves(tensor, buffer);
    plan.moves.insert(plan.moves.end(), moves.begin(), moves.end());
    plan.first.push_back(static_cast<uint32_t>(plan.moves.size()));
  }
  image_.remote_plans.push_back(std::move(plan));
  emit(in ? Op::REMOTE_IN : Op::REMOTE_OUT, static_cast<uint32_t>(image_.remote_plans.size() - 1));
}

std::vector<Move> Lowering::argumentMoves(const Tensor& t, bool input) {
  const View& v = checked(t, "Call");
  if (!input && hasConstant(v)) errors::writesConstant("Call");
  if (!input && hasAliases(v)) errors::writesAliases("Call");
  if (v.numElements() == 0) return {};
  const std::vector<Block> buffer{{nullptr, v.numElements() * sizeOf(v.type)}};
  return input ? planMoves(image_.blocks(v), buffer) : planMoves(buffer, image_.blocks(v));
}

void Lowering::lowerHostCall(const ProgramData& p) {
  if (p.number >= data_.host_functions.size()) errors::otherGraph("Call");
  const HostFunctionData& f = data_.host_functions[p.number];
  HostPlan plan;
  plan.function = static_cast<uint32_t>(p.number);
  const auto lowerList = [&](const std::vector<Tensor>& tensors,
                             const std::vector<Graph::HostFunctionArgument>& arguments,
                             const char* list, bool input) {
    if (tensors.size() != arguments.size()) {
      errors::hostArguments(f.name, list, arguments.size(), tensors.size());
    }
    const auto describe = [](Type type, size_t n) {
      return std::to_string(n) + " elements of type " + type.toString();
    };
    for (size_t i = 0; i < tensors.size(); ++i) {
      const std::string expected = describe(arguments[i].elementType, arguments[i].numElements);
      const std::string got = describe(tensors[i].elementType(), tensors[i].numElements());
      if (expected != got) errors::hostArgument(f.name, list, i, expected, got);
      (input ? plan.inputs : plan.outputs).push_back(argumentMoves(tensors[i], input));
      plan.tensors.push_back(Access::pointer(tensors[i]));
    }
  };
  lowerList(p.inputs, f.inputs, "inputs", true);
  lowerList(p.outputs, f.outputs, "outputs", false);
  uses_.connections.push_back(static_cast<uint32_t>(data_.streams.size() + p.number));
  image_.host_plans.push_back(std::move(plan));
  emit(Op::HOST_CALL, static_cast<uint32_t>(image_.host_plans.size() - 1));
}

// The resources of each program, including those of the functions that it calls.
void Lowering::collectConnections() {
  for (const Uses& uses : program_uses_) {
    std::vector<uint32_t> out = uses.connections, functions = uses.functions;
    std::vector<bool> seen(data_.functions.size());
    while (!functions.empty()) {
      const uint32_t f = functions.back();
      functions.pop_back();
      if (seen[f]) continue;
      seen[f] = true;
      const Uses& inner = function_uses_.at(f);
      out.insert(out.end(), inner.connections.begin(), inner.connections.end());
      functions.insert(functions.end(), inner.functions.begin(), inner.functions.end());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    image_.connections.push_back(std::move(out));
  }
}

}  // namespace emulator
}  // namespace poplar
