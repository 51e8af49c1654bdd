#include "compile/lower.hpp"

#include <algorithm>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/types.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void predicateType(const char* operation, Type type) {
  throw control_program_error(
      text(operation, ": expected a predicate of an integral type, got ", type));
}

}  // namespace

}  // namespace errors

namespace {

// The blocks of a buffer that starts at offset 0.
std::vector<Block> bufferBlocks(size_t bytes) {
  if (bytes == 0) return {};
  return {{nullptr, bytes}};
}

// The variables of a view: the first one's name.
std::string variableName(const GraphData& data, const View& view) {
  if (view.numElements() == 0) return "";
  return data.variable(view.ranges->ranges[0].var).name;
}

size_t bytesOf(const View& v) { return v.numElements() * sizeOf(v.type); }

}  // namespace

std::vector<Block> Image::blocks(const View& view) const {
  std::vector<Block> out;
  const size_t bytes = sizeOf(view.type);
  forEachRun(view, [&](uint32_t var, size_t begin, size_t n) {
    out.push_back({address(var, begin, bytes), n * bytes});
  });
  return out;
}

uint32_t Lowering::emit(Op op, uint32_t a, uint32_t b, uint32_t c) {
  image_.code.push_back({op, a, b, c});
  return here() - 1;
}

std::string Lowering::copyName(const ProgramData& p) const {
  if (!p.text.empty()) return p.text;
  const std::string first = variableName(data_, Access::view(p.first, "Copy"));
  if (p.kind == ProgramKind::STREAM_TO_TENSOR) return p.stream.handle() + " -> " + first;
  if (p.kind == ProgramKind::TENSOR_TO_STREAM) return first + " -> " + p.stream.handle();
  return first + " -> " + variableName(data_, Access::view(p.second, "Copy"));
}

const View& Lowering::checked(const Tensor& t, const char* operation) {
  const View& v = Access::view(t, operation);
  if (v.graph != data_.id) errors::otherGraph(operation);
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    compute_sets_.checkMapped(var, begin, n, operation);
  });
  return v;
}

HostAccess Lowering::hostAccess(const HostHandle& handle, const char* operation) {
  const View& v = checked(Access::tensor(handle.view), operation);
  const size_t bytes = bytesOf(v);
  HostAccess out{handle.name, bytes, planMoves(image_.blocks(v), bufferBlocks(bytes)), {}};
  if (v.type == QUARTER && v.numElements() != 0) {  // of its variables, as they share it
    ViewPtr metadata;
    forEachRun(v, [&](uint32_t var, size_t, size_t) { metadata = data_.variable(var).metadata; });
    const View& one = checked(Access::tensor(metadata), operation);
    out.metadata = planMoves(image_.blocks(one), bufferBlocks(1));
  }
  return out;
}

uint32_t Lowering::predicate(const ProgramData& p, const char* operation) {
  const View& v = checked(p.first, operation);
  if (!isIntegral(v.type)) errors::predicateType(operation, v.type);
  image_.predicates.push_back({image_.blocks(v)[0].address, static_cast<uint32_t>(sizeOf(v.type))});
  return static_cast<uint32_t>(image_.predicates.size() - 1);
}

uint32_t Lowering::print(const ProgramData& p, const char* operation) {
  const View& v = checked(p.first, operation);
  image_.prints.push_back({p.text, p.format, v.type, p.first.shape(), image_.blocks(v)});
  return static_cast<uint32_t>(image_.prints.size() - 1);
}

uint32_t Lowering::message(const std::string& text) {
  image_.messages.push_back(text);
  return static_cast<uint32_t>(image_.messages.size() - 1);
}

uint32_t Lowering::stream(const DataStream& s) {
  for (size_t i = 0; i < data_.streams.size(); ++i) {
    const DataStream& known = data_.streams[i];
    if (known.handle() != s.handle()) continue;
    const bool same = known.type() == s.type() && known.elementType() == s.elementType() &&
                      known.numElements() == s.numElements();
    if (!same) errors::otherGraph("Copy");
    return static_cast<uint32_t>(i);
  }
  errors::unknownHandle("Copy", s.handle());
}

void Lowering::lowerExecute(const ProgramData& p) {
  if (p.number >= data_.compute_sets.size()) errors::otherGraph("Execute");
  auto plan = plans_.find(p.number);
  if (plan == plans_.end()) {
    ComputePlan compiled = compute_sets_.compile(static_cast<uint32_t>(p.number));
    plan = plans_.emplace(p.number, static_cast<uint32_t>(image_.compute_plans.size())).first;
    image_.compute_plans.push_back(std::move(compiled));
  }
  emit(Op::EXECUTE, plan->second);
}

void Lowering::lowerCopy(const ProgramData& p) {
  const bool in = p.kind == ProgramKind::STREAM_TO_TENSOR;
  const bool out = p.kind == ProgramKind::TENSOR_TO_STREAM;
  auto known = copies_.find(&p);
  if (known == copies_.end()) {
    CopyPlan plan;
    const View& first = checked(p.first, "Copy");
    plan.bytes = bytesOf(first);
    plan.source = Access::pointer(p.first);
    if (!in && !out) plan.destination = Access::pointer(p.second);
    plan.name = copyName(p);
    std::vector<Block> source = in ? bufferBlocks(plan.bytes) : image_.blocks(first);
    const View& written = in ? first : out ? first : checked(p.second, "Copy");
    std::vector<Block> destination = out ? bufferBlocks(plan.bytes) : image_.blocks(written);
    if (!out && hasConstant(written)) errors::writesConstant("Copy");
    if (!out && hasAliases(written)) errors::writesAliases("Copy");
    if ((in || out) && image_.trace.streams) plan.traced_tiles = tilesOf(first);
    plan.moves = planMoves(source, destination);
    if (!in && !out) {
      std::vector<Block> a = source, b = destination;
      if (overlap(a, b)) {
        plan.moves = planMoves(source, bufferBlocks(plan.bytes));
        plan.second = planMoves(bufferBlocks(plan.bytes), destination);
      }
    }
    const bool buffered = in || out || !plan.second.empty();
    if (buffered && plan.bytes > image_.scratch.size()) image_.scratch = Region(plan.bytes);
    known = copies_.emplace(&p, static_cast<uint32_t>(image_.copies.size())).first;
    image_.copies.push_back(std::move(plan));
  }
  if (in || out) {
    uses_.connections.push_back(stream(p.stream));
    emit(in ? Op::STREAM_IN : Op::STREAM_OUT, known->second, uses_.connections.back());
  } else if (image_.copies[known->second].bytes != 0) {
    emit(Op::COPY, known->second);
  }
}

void Lowering::lowerRepeat(const ProgramData& p) {
  if (p.number == 0) return;
  const uint32_t counter = loop_depth_++;
  image_.num_counters = std::max(image_.num_counters, loop_depth_);
  emit(Op::LOOP_BEGIN, counter, static_cast<uint32_t>(p.number));
  const uint32_t body = here();
  lower(*p.children[0]);
  emit(Op::LOOP_END, counter, 0, body);
  --loop_depth_;
}

void Lowering::lowerWhile(const ProgramData& p) {
  const bool until = p.kind == ProgramKind::WHILE_TRUE ? false : true;
  const uint32_t test = predicate(p, until ? "RepeatWhileFalse" : "RepeatWhileTrue");
  const uint32_t top = here();
  lower(*p.children[0]);
  const uint32_t leave = emit(Op::JUMP_IF, test, until ? 1 : 0);
  lower(*p.children[1]);
  emit(Op::JUMP, 0, 0, top);
  image_.code[leave].c = here();
}

void Lowering::lowerIf(const ProgramData& p) {
  const uint32_t skip = emit(Op::JUMP_IF, predicate(p, "If"), 0);
  lower(*p.children[0]);
  const uint32_t leave = emit(Op::JUMP);
  image_.code[skip].c = here();
  lower(*p.children[1]);
  image_.code[leave].c = here();
}

void Lowering::lowerSwitch(const ProgramData& p) {
  const View& v = checked(p.first, "Switch");
  const size_t id = image_.switches.size();
  image_.switches.push_back({image_.blocks(v)[0].address, p.cases, {}});
  emit(Op::SWITCH, static_cast<uint32_t>(id));
  std::vector<uint32_t> leaves;
  for (const auto& child : p.children) {
    image_.switches[id].targets.push_back(here());
    lower(*child);
    leaves.push_back(emit(Op::JUMP));
  }
  for (uint32_t leave : leaves) image_.code[leave].c = here();
}

void Lowering::lower(const ProgramData& p) {
  if (image_.trace.any() && isTraced(p)) return lowerTraced(p);
  if (!open_blocks_.empty()) traceIpus(p);
  lowerOperation(p);
}

void Lowering::lowerOperation(const ProgramData& p) {
  switch (p.kind) {
    case ProgramKind::SEQUENCE:
      for (const auto& child : p.children) lower(*child);
      return;
    case ProgramKind::EXECUTE:
      return lowerExecute(p);
    case ProgramKind::COPY:
    case ProgramKind::STREAM_TO_TENSOR:
    case ProgramKind::TENSOR_TO_STREAM:
      return lowerCopy(p);
    case ProgramKind::REMOTE_TO_TENSOR:
    case ProgramKind::TENSOR_TO_REMOTE:
      return lowerRemote(p);
    case ProgramKind::REPEAT:
      return lowerRepeat(p);
    case ProgramKind::WHILE_TRUE:
    case ProgramKind::WHILE_FALSE:
      return lowerWhile(p);
    case ProgramKind::IF:
      return lowerIf(p);
    case ProgramKind::SWITCH:
      return lowerSwitch(p);
    case ProgramKind::CALL:
      if (p.number >= data_.functions.size()) errors::otherGraph("Call");
      uses_.functions.push_back(static_cast<uint32_t>(p.number));
      calls_.emplace_back(emit(Op::CALL), static_cast<uint32_t>(p.number));
      return;
    case ProgramKind::HOST_CALL:
      return lowerHostCall(p);
    case ProgramKind::PRINT:
      emit(Op::PRINT, print(p, "PrintTensor"));
      return;
    case ProgramKind::WRITE_UNDEF:
      checked(p.first, "WriteUndef");
      if (!image_.strict) return;
      emit(Op::UNDEFINE, static_cast<uint32_t>(image_.undefined.size()));
      image_.undefined.push_back(image_.blocks(Access::view(p.first, "WriteUndef")));
      return;
    case ProgramKind::CYCLE_STAMP:
    case ProgramKind::CYCLE_DIFFERENCE:
      return lowerCycles(p);
    case ProgramKind::SYNC:
      return;
    case ProgramKind::ABORT:
      emit(Op::ABORT, message(p.text));
      return;
    case ProgramKind::ABORT_IF: {
      const uint32_t skip = emit(Op::JUMP_IF, predicate(p, "AbortOnCondition"), 0);
      emit(Op::ABORT, message(p.text));
      image_.code[skip].c = here();
      return;
    }
    case ProgramKind::ERROR:
      emit(Op::ERROR, message(p.text), print(p, "ErrorProgram"));
      return;
  }
}

void Lowering::lowerPrograms(ArrayRef<program::Program> programs) {
  for (const program::Program& p : programs) {
    image_.entries.push_back(here());
    uses_ = Uses();
    lower(*Access::data(p));
    program_uses_.push_back(std::move(uses_));
    emit(Op::RETURN);
  }
  // Functions, as calls ask for them. A function may call those that were added before it, so
  // calls never recurse and nest no deeper than there are functions.
  std::unordered_map<uint32_t, uint32_t> entries;
  for (size_t i = 0; i < calls_.size(); ++i) {
    const auto call = calls_[i];
    auto entry = entries.find(call.second);
    if (entry == entries.end()) {
      entry = entries.emplace(call.second, here()).first;
      // Counters of callers are in use while a function runs.
      loop_depth_ = image_.num_counters;
      uses_ = Uses();
      lower(*Access::data(data_.functions[call.second]));
      function_uses_.emplace(call.second, std::move(uses_));
      emit(Op::RETURN);
      loop_depth_ = 0;
    }
    image_.code[call.first].c = entry->second;
  }
  image_.call_depth = static_cast<uint32_t>(entries.size()) + 1;
  collectConnections();
}

}  // namespace emulator
}  // namespace poplar
