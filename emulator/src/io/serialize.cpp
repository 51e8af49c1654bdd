// Graphs and executables as bytes. An executable is its graph and its programs: they are compiled
// again where they are read, which takes less than to read compiled memory would.
#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <istream>
#include <iterator>
#include <ostream>
#include <poplar/emulator/Checksum.hpp>

#include "api/access.hpp"
#include "api/options.hpp"
#include "api/program_data.hpp"
#include "api/target.hpp"
#include "api/text/graph_text.hpp"
#include "compile/codelet_library.hpp"
#include "compile/image.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "io/archive.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void noStream(const char* operation) {
  throw poplar_error(text(operation, ": expected a stream to read from, got a null pointer"));
}

[[noreturn]] void cannotWrite(const char* operation) {
  throw poplar_error(text(operation,
                          ": expected a stream that takes all bytes, got one that "
                          "failed"));
}

[[noreturn]] void serializesModel(const std::string& target) {
  throw poplar_error(
      text("Executable::serialize: expected an executable for an IPU, got one for ", target));
}

[[noreturn]] void notAnExecutable() {
  throw poplar_error(
      "Executable::deserialize: expected what Executable::serialize wrote here, got other bytes");
}

[[noreturn]] void truncatedExecutable(size_t expected, size_t got) {
  throw poplar_error(text("Executable::deserialize: expected ", expected,
                          " bytes more of the executable, got ", got));
}

[[noreturn]] void damagedExecutable() {
  throw poplar_error(
      "Executable::deserialize: expected the bytes that Executable::serialize wrote, got other "
      "ones "
      "than their checksum tells");
}

[[noreturn]] void libraryIsGone(const std::string& path) {
  throw poplar_error(text("Executable::serialize: expected the codelets in '", path,
                          "', which the graph was built with, got no such file"));
}

}  // namespace

}  // namespace errors

namespace {

constexpr char kMagic[] = "popsnn emulated executable 3\n";

void malformed() { errors::notAnExecutable(); }

// The header after the first line: the number of the bytes after it, and the checksum of both, so
// that only bytes with the checksum of what was written are parsed.
struct Heading {
  uint64_t size = 0, checksum = 0;
};

uint64_t checksumOf(uint64_t size, const std::string& bytes) {
  const uint64_t of_bytes = checksum(bytes.data(), bytes.size());
  const uint64_t both[] = {size, of_bytes};
  return checksum(reinterpret_cast<const char*>(both), sizeof(both));
}

// In steps: a number that cannot be right must meet the end of the stream, not of the memory.
std::string readBytes(std::istream& in, uint64_t size) {
  constexpr uint64_t kStep = uint64_t{1} << 24;
  std::string out;
  while (out.size() < size) {
    const size_t at = out.size(), n = std::min(kStep, size - at);
    out.resize(at + n);
    in.read(&out[at], static_cast<std::streamsize>(n));
    const size_t got = static_cast<size_t>(in.gcount());
    if (got != n) errors::truncatedExecutable(size, at + got);
  }
  return out;
}

std::string readChecked(std::istream& in) {
  char magic[sizeof(kMagic) - 1] = {};
  in.read(magic, sizeof(magic));
  if (std::memcmp(magic, kMagic, sizeof(magic)) != 0) errors::notAnExecutable();
  Heading heading;
  const std::string numbers = readBytes(in, sizeof(heading));
  std::memcpy(&heading, numbers.data(), sizeof(heading));
  const std::string bytes = readBytes(in, heading.size);
  if (checksumOf(heading.size, bytes) != heading.checksum) errors::damagedExecutable();
  return bytes;
}

template <class A>
void transferObjectNumber(A& a, const void* object, uint64_t* number, bool* first) {
  if constexpr (A::kReads) {
    (void)object;
    a.bytes(number, sizeof(*number));
    a.bytes(first, sizeof(*first));
  } else {
    *first = a.intern(object, number);
    a.bytes(number, sizeof(*number));
    a.bytes(first, sizeof(*first));
  }
}

template <class A>
void transfer(A& a, RangeList& list);
template <class A>
void transfer(A& a, ProgramData& p);

template <class A, class T>
void transferShared(A& a, std::shared_ptr<T>& pointer) {
  typedef typename std::remove_const<T>::type Value;
  uint64_t number = 0;
  bool first = false;
  transferObjectNumber(a, pointer.get(), &number, &first);
  if (!first) {
    if constexpr (A::kReads) {
      if (number >= a.shared.size()) a.fail();
      pointer = std::static_pointer_cast<T>(a.shared[number]);
    }
    return;
  }
  if constexpr (A::kReads) {
    auto value = std::make_shared<Value>();
    pointer = value;
    a.shared.push_back(value);
    transfer(a, *value);
  } else {
    transfer(a, const_cast<Value&>(*pointer));
  }
}

template <class A>
void transfer(A& a, TileMap& map) {
  map.transferRanges([&](auto& value) { transfer(a, value); });
}

template <class A>
void transfer(A& a, RangeList& list) {
  transferRaw(a, list.ranges);
  transfer(a, list.size);
}

template <class A>
void transfer(A& a, View& v) {
  transfer(a, v.type);
  transferShared(a, v.ranges);
  transfer(a, v.offset);
  transferRaw(a, v.dims);
  if constexpr (A::kReads) v.graph = a.graph;
}

template <class A>
void transfer(A& a, ViewPtr& view) {
  View v;
  if (!A::kReads) v = *view;
  transfer(a, v);
  if (A::kReads) view = std::make_shared<View>(std::move(v));
}

template <class A>
void transfer(A& a, Variable& v) {
  transfer(a, v.type);
  transfer(a, v.implicit);
  transfer(a, v.size);
  transfer(a, v.name);
  transfer(a, v.tiles);
  transferRaw(a, v.values);
  bool has_metadata = v.metadata != nullptr;
  transfer(a, has_metadata);
  if (has_metadata) transfer(a, v.metadata);
}

template <class A>
void transfer(A& a, Tensor& t) {
  bool valid = t.valid();
  transfer(a, valid);
  if (!valid) return;
  ViewPtr view = Access::pointer(t);
  transfer(a, view);
  if (A::kReads) t = Access::tensor(std::move(view));
}

template <class A>
void transfer(A& a, DataStream& s) {
  std::string handle = s.handle();
  DataStreamType direction = s.type();
  Type type = s.elementType();
  size_t n = s.numElements();
  transfer(a, handle);
  transfer(a, direction);
  transfer(a, type);
  transfer(a, n);
  if (A::kReads) s = DataStream(handle, direction, type, n);
}

template <class A>
void transfer(A& a, RemoteBuffer& b) {
  std::string handle = b.handle();
  Type type = b.elementType();
  size_t n = b.numElements(), repeats = b.getRepeats();
  bool rearrange = b.isRearrangeOnHost(), optimise = b.isOptimisedForMemory();
  transfer(a, handle);
  transfer(a, type);
  transfer(a, n);
  transfer(a, repeats);
  transfer(a, rearrange);
  transfer(a, optimise);
  if (A::kReads) b = RemoteBuffer(handle, type, n, repeats, rearrange, optimise);
}

template <class A>
void transfer(A& a, std::vector<Graph::HostFunctionArgument>& list) {
  const size_t size = transferSize(a, list.size());
  for (size_t i = 0; i < size; ++i) {
    if (A::kReads) list.emplace_back(FLOAT, 0);
    transfer(a, list[i].elementType);
    transfer(a, list[i].numElements);
  }
}

template <class A>
void transfer(A& a, ProgramData& p) {
  transfer(a, p.kind);
  transferList(a, p.children, [&](auto& child) { transferShared(a, child); });
  transfer(a, p.first);
  transfer(a, p.second);
  transferList(a, p.inputs, [&](auto& t) { transfer(a, t); });
  transferList(a, p.outputs, [&](auto& t) { transfer(a, t); });
  transfer(a, p.number);
  transfer(a, p.text);
  transfer(a, p.format);
  transferRaw(a, p.cases);
  transfer(a, p.stream);
  transfer(a, p.remote);
}

template <class A>
void transferPrograms(A& a, std::vector<program::Program>& programs) {
  transferList(a, programs, [&](program::Program& p) { transferShared(a, Access::data(p)); });
}

// Codelets travel as the contents of their libraries.
void transferLibraries(Writer& a, GraphData& data) {
  transferSize(a, data.libraries.size());
  for (const std::string& path : data.libraries) {
    std::ifstream in(path, std::ios::binary);
    if (!in) errors::libraryIsGone(path);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    transfer(a, bytes);
  }
}

void transferLibraries(Reader& a, GraphData& data) {
  const size_t n = transferSize(a, 0);
  for (size_t i = 0; i < n; ++i) {
    std::string bytes;
    transfer(a, bytes);
    data.addLibrary(CodeletLibrary::load(storeCodelets(bytes), data.isDevice()));
  }
}

template <class A>
void transfer(A& a, GraphData& data) {
  transferLibraries(a, data);
  transferList(a, data.variables, [&](Variable& v) { transfer(a, v); });
  transferList(a, data.groups, [&](VertexGroup& g) {
    transfer(a, g.type);
    transfer(a, g.compute_set);
    transferRaw(a, g.objects);
    transferRaw(a, g.tiles);
    transferRaw(a, g.edges);
    transferRaw(a, g.sizes);
    transferRaw(a, g.state);
  });
  transferList(a, data.compute_sets, [&](ComputeSetData& cs) {
    transfer(a, cs.name);
    transferRaw(a, cs.groups);
  });
  transferRaw(a, data.vertices);
  transferRaw(a, data.runs);
  transferRaw(a, data.values);
  transferList(a, data.initial_values, [&](InitialValue& v) {
    transfer(a, v.view);
    transferRaw(a, v.values);
  });
  transferList(a, data.streams, [&](DataStream& s) { transfer(a, s); });
  transferList(a, data.remote_buffers, [&](RemoteBuffer& b) { transfer(a, b); });
  transferList(a, data.host_functions, [&](HostFunctionData& f) {
    transfer(a, f.name);
    transfer(a, f.inputs);
    transfer(a, f.outputs);
  });
  for (std::vector<HostHandle>* handles : {&data.host_writes, &data.host_reads}) {
    transferList(a, *handles, [&](HostHandle& h) {
      transfer(a, h.name);
      transfer(a, h.view);
    });
  }
  transferPrograms(a, data.functions);
}

template <class A>
void transfer(A& a, TargetData& target) {
  transfer(a, target.type);
  transfer(a, target.system);
  IPUModel& m = target.model;
  transfer(a, m.IPUVersion);
  for (unsigned* value :
       {&m.numIPUs, &m.tilesPerSuperTile, &m.tilesPerIPU, &m.numWorkerContexts,
        &m.memoryBytesPerTile, &m.tileClockFrequency, &m.memcpyBytesPerCycle, &m.instructionBytes,
        &m.interleavedMemoryElementIndex, &m.minIPUSyncDelay, &m.globalSyncCycles}) {
    transfer(a, *value);
  }
  transfer(a, m.exchangeBytesPerCycle);
  transfer(a, m.supportsSuperTileSendReceive);
  transfer(a, m.relativeSyncDelay);
  transfer(a, m.compileIPUCode);
  transfer(a, target.accurate_half);
  transfer(a, target.maxIPUSyncDelay);
  transferRaw(a, target.memoryElementOffsets);
}

void write(const char* operation, std::ostream& out, GraphData& data,
           std::vector<program::Program>& programs) {
  Writer a;
  TargetData target = Access::data(data.target);
  transfer(a, target);
  transfer(a, data);
  transferPrograms(a, programs);
  const uint64_t size = a.written.size();
  const Heading heading{size, checksumOf(size, a.written)};
  out.write(kMagic, sizeof(kMagic) - 1);
  out.write(reinterpret_cast<const char*>(&heading), sizeof(heading));
  out.write(a.written.data(), static_cast<std::streamsize>(size));
  out.flush();
  if (!out) errors::cannotWrite(operation);
}

}  // namespace
}  // namespace emulator

void Graph::serialize(std::ostream& out, SerializationFormat format) const {
  if (format == SerializationFormat::JSON) {
    emulator::writeJson(out, *data_);
    if (!out.flush()) emulator::errors::cannotWrite("Graph::serialize");
    return;
  }
  std::vector<program::Program> none;
  emulator::write("Graph::serialize", out, *data_, none);
}

void Executable::serialize(std::ostream& out) const {
  if (!image_) emulator::errors::emptyExecutable("Executable::serialize");
  if (!image_->source) {
    emulator::errors::serializesModel(toString(image_->target.getTargetType()));
  }
  emulator::write("Executable::serialize", out, image_->source->graph, image_->source->programs);
}

Executable Executable::deserialize(std::istream& in, bool) {
  using namespace emulator;
  const std::string bytes = readChecked(in);
  Reader a(bytes, malformed);
  auto target = std::make_shared<TargetData>();
  transfer(a, *target);
  auto source = std::make_unique<Source>(GraphData(Target(target)));
  a.graph = source->graph.id;
  transfer(a, source->graph);
  transferPrograms(a, source->programs);
  const bool strict = parseEngineOptions({}).strict;
  std::unique_ptr<Image> image = buildImage(source->graph, source->programs, false, strict);
  image->source = std::move(source);
  return Executable(std::move(image));
}

Executable Executable::deserialize(std::unique_ptr<std::istream> in, bool checkPackageHash) {
  if (!in) emulator::errors::noStream("Executable::deserialize");
  return deserialize(*in, checkPackageHash);
}

}  // namespace poplar
