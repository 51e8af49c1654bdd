// The executor's side of remote buffers and host functions.
#include <cstring>
#include <poplar/exceptions.hpp>

#include "api/types.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "run/executor.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void unconnectedStream(StringRef handle) {
  throw stream_connection_error(
      text("Engine::run: expected stream '", handle, "' to be connected, got no connection"));
}

[[noreturn]] void unconnectedHostFunction(StringRef handle) {
  throw stream_connection_error(text("Engine::run: expected host function '", handle,
                                     "' to be connected, got no connection"));
}

[[noreturn]] void remoteRow(const char* operation, StringRef handle, uint64_t row, size_t rows) {
  throw application_runtime_error(text(operation, ": expected a row below ", rows,
                                       " of remote buffer '", handle, "', got ", row));
}

}  // namespace

}  // namespace errors

void Executor::connectHostFunction(StringRef handle, HostCallbackHandle callback) {
  for (size_t i = 0; i < host_functions_.size(); ++i) {
    if (handle != StringRef(image_->host_functions[i].name)) continue;
    host_functions_[i].callback = std::make_shared<HostCallbackHandle>(std::move(callback));
    return;
  }
  errors::unknownHandle("Engine::connectHostFunction", handle);
}

void Executor::checkConnected(unsigned program) const {
  for (uint32_t c : image_->connections[program]) {
    if (c < connections_.size()) {
      if (!connections_[c].connected) errors::unconnectedStream(image_->streams[c].handle());
    } else if (!host_functions_[c - connections_.size()].callback) {
      errors::unconnectedHostFunction(image_->host_functions[c - connections_.size()].name);
    }
  }
}

char* Executor::remoteRow(const char* operation, StringRef handle, uint64_t row, size_t* bytes) {
  checkLoaded(operation);
  for (size_t i = 0; i < remote_memory_.size(); ++i) {
    const RemoteBuffer& b = image_->remote_buffers[i];
    if (handle != StringRef(b.handle())) continue;
    if (row >= b.getRepeats()) errors::remoteRow(operation, handle, row, b.getRepeats());
    *bytes = b.numElements() * sizeOf(b.elementType());
    return remote_memory_[i].data() + row * *bytes;
  }
  errors::unknownHandle(operation, handle);
}

void Executor::copyRemote(const RemotePlan& plan, bool in) {
  const RemoteBuffer& b = image_->remote_buffers[plan.buffer];
  const size_t bytes = b.numElements() * sizeOf(b.elementType());
  std::vector<uint32_t> rows;
  for (const Block& block : plan.rows) {
    const size_t n = rows.size();
    rows.resize(n + block.bytes / sizeof(uint32_t));
    std::memcpy(&rows[n], block.address, block.bytes);
  }
  for (uint32_t i = 0; i + 1 < plan.first.size(); ++i) {
    const uint32_t row = plan.rows.empty() ? i : rows[i];
    if (row >= b.getRepeats()) errors::remoteRow("Copy", b.handle(), row, b.getRepeats());
    const intptr_t at =
        reinterpret_cast<intptr_t>(remote_memory_[plan.buffer].data() + row * bytes);
    runMoves(plan.moves.data() + plan.first[i], plan.first[i + 1] - plan.first[i], in ? at : 0,
             in ? 0 : at);
  }
}

void Executor::callHost(const HostPlan& plan) {
  HostFunctionState& f = host_functions_[plan.function];
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    inputs.push_back(f.inputs[i].data());
    runMoves(plan.inputs[i].data(), plan.inputs[i].size(), 0,
             reinterpret_cast<intptr_t>(f.inputs[i].data()));
  }
  for (std::vector<char>& out : f.outputs) outputs.push_back(out.data());
  (*f.callback)(inputs, outputs);
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    runMoves(plan.outputs[i].data(), plan.outputs[i].size(),
             reinterpret_cast<intptr_t>(f.outputs[i].data()), 0);
  }
}

}  // namespace emulator
}  // namespace poplar
