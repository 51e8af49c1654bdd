// Host interfaces of a Graph: streams, host access, remote buffers, host functions.
#include <poplar/Graph.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "api/options.hpp"
#include "api/types.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void duplicateHandle(const char* operation, StringRef handle) {
  throw poplar_error(text(operation, ": expected a new handle, got '", handle, "' again"));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::GraphData;
using emulator::View;

namespace errors = emulator::errors;

namespace {

template <class List>
void checkNewHandle(const char* operation, const List& list, StringRef handle) {
  for (const auto& entry : list) {
    if (handle == StringRef(entry.name)) errors::duplicateHandle(operation, handle);
  }
}

}  // namespace

namespace {

DataStream addStream(GraphData& data, const char* operation, DataStreamType direction,
                     StringRef handle, Type type, size_t n, const OptionFlags& options) {
  emulator::checkStreamOptions(options);
  emulator::checkElementType(operation, type);
  emulator::checkedElements(operation, {n});
  for (const DataStream& s : data.streams) {
    if (s.handle() == handle.str()) errors::duplicateHandle(operation, handle);
  }
  data.streams.emplace_back(handle, direction, type, n);
  return data.streams.back();
}

}  // namespace

DataStream Graph::addHostToDeviceFIFO(StringRef handle, const Type& elementType, size_t numElements,
                                      ReplicatedStreamMode, const OptionFlags& options) {
  return addStream(*data_, "Graph::addHostToDeviceFIFO", DataStreamType::HostToDeviceFIFO, handle,
                   elementType, numElements, options);
}

DataStream Graph::addDeviceToHostFIFO(StringRef handle, const Type& elementType, size_t numElements,
                                      const OptionFlags& options) {
  return addStream(*data_, "Graph::addDeviceToHostFIFO", DataStreamType::DeviceToHostFIFO, handle,
                   elementType, numElements, options);
}

void Graph::createHostWrite(StringRef handle, const Tensor& t, bool) {
  const View& v = Access::view(t, "Graph::createHostWrite");
  if (v.graph != data_->id) errors::otherGraph("Graph::createHostWrite");
  checkNewHandle("Graph::createHostWrite", data_->host_writes, handle);
  if (emulator::hasConstant(v)) errors::writesConstant("Graph::createHostWrite");
  if (emulator::hasAliases(v)) errors::writesAliases("Graph::createHostWrite");
  if (v.type == QUARTER) emulator::metadataOf(*data_, v);
  data_->host_writes.push_back({handle.str(), Access::pointer(t)});
}

void Graph::createHostRead(StringRef handle, const Tensor& t, bool) {
  const View& v = Access::view(t, "Graph::createHostRead");
  if (v.graph != data_->id) errors::otherGraph("Graph::createHostRead");
  checkNewHandle("Graph::createHostRead", data_->host_reads, handle);
  if (v.type == QUARTER) emulator::metadataOf(*data_, v);
  data_->host_reads.push_back({handle.str(), Access::pointer(t)});
}

RemoteBuffer Graph::addRemoteBuffer(StringRef handle, const Type& elementType, size_t numElements,
                                    size_t repeats, bool rearrangeOnHost, bool optimiseMemory) {
  constexpr const char* kOperation = "Graph::addRemoteBuffer";
  emulator::checkElementType(kOperation, elementType);
  emulator::checkedElements(kOperation, {numElements});
  emulator::checkedProduct(kOperation, repeats, numElements * emulator::sizeOf(elementType));
  for (const RemoteBuffer& b : data_->remote_buffers) {
    if (b.handle() == handle.str()) errors::duplicateHandle(kOperation, handle);
  }
  data_->remote_buffers.emplace_back(handle, elementType, numElements, repeats, rearrangeOnHost,
                                     optimiseMemory);
  return data_->remote_buffers.back();
}

HostFunction Graph::addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                                    ArrayRef<HostFunctionArgument> outputs) {
  checkNewHandle("Graph::addHostFunction", data_->host_functions, handle);
  for (ArrayRef<HostFunctionArgument> arguments : {inputs, outputs}) {
    for (const HostFunctionArgument& a : arguments) {
      emulator::checkElementType("Graph::addHostFunction", a.elementType);
      emulator::checkedElements("Graph::addHostFunction", {a.numElements});
    }
  }
  data_->host_functions.push_back(
      {handle.str(), {inputs.begin(), inputs.end()}, {outputs.begin(), outputs.end()}});
  return HostFunction(static_cast<unsigned>(data_->host_functions.size() - 1));
}

Function Graph::addFunction(const program::Program& program) {
  data_->functions.push_back(program);
  return Function(static_cast<unsigned>(data_->functions.size() - 1));
}

FunctionBuffer Graph::addFunctionBuffer(Function function, FunctionBufferMappingType) {
  if (function.getId() >= data_->functions.size()) errors::otherGraph("Graph::addFunctionBuffer");
  return FunctionBuffer(function);
}

}  // namespace poplar
