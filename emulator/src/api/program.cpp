#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/program_data.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void copyType(Type from, Type to) {
  throw type_error(text("Copy: expected a destination of the source's type ", from, ", got ", to));
}

[[noreturn]] void copySize(size_t from, size_t to) {
  throw poplar_error(
      text("Copy: expected a destination of the source's ", from, " elements, got ", to));
}

[[noreturn]] void streamDirection(const std::string& handle, bool to_device) {
  throw poplar_error(text("Copy: expected a stream ", to_device ? "from" : "to", " the host, got '",
                          handle, "' of the other direction"));
}

[[noreturn]] void remoteSize(const std::string& handle, size_t rows, size_t row, size_t got) {
  throw poplar_error(text("Copy: expected a tensor of ", rows, " rows of ", row,
                          " elements for remote buffer '", handle, "', got ", got, " elements"));
}

[[noreturn]] void offsetType(const std::string& handle, Type type) {
  throw type_error(text("Copy: expected offsets of type int or unsigned int for remote buffer '",
                        handle, "', got ", type));
}

[[noreturn]] void predicate(const char* operation, const std::string& shape) {
  throw control_program_error(
      text(operation, ": expected a predicate of one element, got shape ", shape));
}

[[noreturn]] void switchType(Type type) {
  throw control_program_error(
      text("Switch: expected a control of type int or unsigned int, got ", type));
}

[[noreturn]] void duplicateCase(int32_t value) {
  throw control_program_error(text("Switch::add: expected a new case, got ", value, " again"));
}

[[noreturn]] void otherFunction() {
  throw control_program_error(
      "Copy: expected the function of the function buffer, got another one");
}

}  // namespace

}  // namespace errors
}  // namespace emulator
namespace program {

using emulator::Access;
using emulator::kBlock;
using emulator::ProgramData;
using emulator::ProgramKind;
using emulator::View;

namespace errors = emulator::errors;

namespace {

std::shared_ptr<ProgramData> make(ProgramKind kind) {
  auto out = std::make_shared<ProgramData>();
  out->kind = kind;
  return out;
}

std::shared_ptr<ProgramData> withTensor(ProgramKind kind, Tensor t, const char* operation) {
  Access::view(t, operation);
  auto out = make(kind);
  out->first = std::move(t);
  return out;
}

std::shared_ptr<ProgramData> withPredicate(ProgramKind kind, Tensor t, const char* operation) {
  const View& v = Access::view(t, operation);
  if (v.numElements() != 1) errors::predicate(operation, t.shapeToString());
  return withTensor(kind, std::move(t), operation);
}

std::shared_ptr<ProgramData> withStream(ProgramKind kind, Tensor t, const DataStream& stream) {
  const View& v = Access::view(t, "Copy");
  const bool to_device = kind == ProgramKind::STREAM_TO_TENSOR;
  if ((stream.type() == DataStreamType::HostToDeviceFIFO) != to_device) {
    errors::streamDirection(stream.handle(), to_device);
  }
  if (v.type != stream.elementType()) errors::copyType(stream.elementType(), v.type);
  if (v.numElements() != stream.numElements()) {
    errors::copySize(stream.numElements(), v.numElements());
  }
  auto out = withTensor(kind, std::move(t), "Copy");
  out->stream = stream;
  return out;
}

// Moves one row for each element of `offset`; without one, all rows.
std::shared_ptr<ProgramData> withRemote(ProgramKind kind, Tensor t, const RemoteBuffer& buffer,
                                        Tensor offset) {
  const View& v = Access::view(t, "Copy");
  if (v.type != buffer.elementType()) {
    const bool to_device = kind == ProgramKind::REMOTE_TO_TENSOR;
    errors::copyType(to_device ? buffer.elementType() : v.type,
                     to_device ? v.type : buffer.elementType());
  }
  size_t rows = buffer.getRepeats();
  if (offset.valid()) {
    if (offset.elementType() != INT && offset.elementType() != UNSIGNED_INT) {
      errors::offsetType(buffer.handle(), offset.elementType());
    }
    rows = offset.numElements();
  }
  if (v.numElements() != rows * buffer.numElements()) {
    errors::remoteSize(buffer.handle(), rows, buffer.numElements(), v.numElements());
  }
  auto out = withTensor(kind, std::move(t), "Copy");
  out->second = std::move(offset);
  out->remote = buffer;
  return out;
}

// `text` of a message, none for a null pointer.
std::string messageOf(const char* text) { return StringRef(text).str(); }

}  // namespace

Program::Program() : data_(make(ProgramKind::SEQUENCE)) {}
Program::Program(std::shared_ptr<ProgramData> data) : data_(std::move(data)) {}

bool Program::isEmpty() const {
  return data_->kind == ProgramKind::SEQUENCE && data_->children.empty();
}

Sequence::Sequence() {}
Sequence::Sequence(const DebugContext& debugContext) { data_->text = debugContext.getPathName(); }

Sequence::Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext)
    : Sequence(debugContext) {
  for (const Program& p : programs) add(p);
}

Sequence::Sequence(const std::vector<Program>& programs, const DebugContext& debugContext)
    : Sequence(debugContext) {
  for (const Program& p : programs) add(p);
}

void Sequence::add(const Program& program) {
  const std::shared_ptr<const ProgramData> child = Access::data(program);
  // Others may hold what this sequence was until now.
  if (data_.use_count() != 1) data_ = std::make_shared<ProgramData>(*data_);
  data_->children.push_back(child);
}

Execute::Execute(ComputeSet cs, const DebugContext&) : Program(make(ProgramKind::EXECUTE)) {
  data_->number = cs.getId();
}

Copy::Copy(Tensor source, Tensor destination, bool, const DebugContext& debugContext)
    : Program(make(ProgramKind::COPY)) {
  const View& from = Access::view(source, "Copy");
  const View& to = Access::view(destination, "Copy");
  if (from.graph != to.graph) errors::otherGraph("Copy");
  if (from.type != to.type) errors::copyType(from.type, to.type);
  if (from.numElements() != to.numElements()) {
    errors::copySize(from.numElements(), to.numElements());
  }
  data_->first = std::move(source);
  data_->second = std::move(destination);
  data_->text = debugContext.getPathName();
}

Copy::Copy(const DataStream& stream, Tensor destination, bool, const DebugContext& debugContext)
    : Program(withStream(ProgramKind::STREAM_TO_TENSOR, std::move(destination), stream)) {
  data_->text = debugContext.getPathName();
}

Copy::Copy(Tensor source, const DataStream& stream, bool, const DebugContext& debugContext)
    : Program(withStream(ProgramKind::TENSOR_TO_STREAM, std::move(source), stream)) {
  data_->text = debugContext.getPathName();
}

Copy::Copy(const RemoteBuffer& buffer, Tensor destination, const DebugContext&)
    : Program(withRemote(ProgramKind::REMOTE_TO_TENSOR, std::move(destination), buffer, Tensor())) {
}

Copy::Copy(Tensor source, const RemoteBuffer& buffer, const DebugContext&)
    : Program(withRemote(ProgramKind::TENSOR_TO_REMOTE, std::move(source), buffer, Tensor())) {}

Copy::Copy(const RemoteBuffer& buffer, Tensor destination, Tensor offset, const DebugContext&)
    : Program(withRemote(ProgramKind::REMOTE_TO_TENSOR, std::move(destination), buffer,
                         std::move(offset))) {}

Copy::Copy(Tensor source, const RemoteBuffer& buffer, Tensor offset, const DebugContext&)
    : Program(withRemote(ProgramKind::TENSOR_TO_REMOTE, std::move(source), buffer,
                         std::move(offset))) {}

Copy::Copy(const FunctionBuffer& buffer, Function function, const DebugContext&) {
  if (buffer.getFunction().getId() != function.getId()) errors::otherFunction();
}

CrossReplicaCopy::CrossReplicaCopy(Tensor source, Tensor destination,
                                   std::map<unsigned, unsigned> replicaMap,
                                   const DebugContext& debugContext)
    : Program(Copy(std::move(source), std::move(destination), false, debugContext)) {
  for (const auto& pair : replicaMap) {
    for (unsigned replica : {pair.first, pair.second}) {
      if (replica != 0) errors::unknownReplica("CrossReplicaCopy", replica);
    }
  }
  if (replicaMap.empty()) data_ = make(ProgramKind::SEQUENCE);
}

Repeat::Repeat(unsigned count, const Program& program, const DebugContext&)
    : Program(make(ProgramKind::REPEAT)) {
  data_->number = count;
  data_->children = {Access::data(program)};
}

RepeatWhileTrue::RepeatWhileTrue(const Program& condition, Tensor predicate, const Program& body,
                                 const DebugContext&)
    : Program(withPredicate(ProgramKind::WHILE_TRUE, std::move(predicate), "RepeatWhileTrue")) {
  data_->children = {Access::data(condition), Access::data(body)};
}

RepeatWhileFalse::RepeatWhileFalse(const Program& condition, Tensor predicate, const Program& body,
                                   const DebugContext&)
    : Program(withPredicate(ProgramKind::WHILE_FALSE, std::move(predicate), "RepeatWhileFalse")) {
  data_->children = {Access::data(condition), Access::data(body)};
}

If::If(Tensor predicate, const Program& trueBody, const Program& falseBody, const DebugContext&)
    : Program(withPredicate(ProgramKind::IF, std::move(predicate), "If")) {
  data_->children = {Access::data(trueBody), Access::data(falseBody)};
}

Switch::Switch(Tensor control, const Program& defaultCase, const DebugContext&)
    : Program(withPredicate(ProgramKind::SWITCH, std::move(control), "Switch")) {
  if (data_->first.elementType() != INT && data_->first.elementType() != UNSIGNED_INT) {
    errors::switchType(data_->first.elementType());
  }
  data_->children = {Access::data(defaultCase)};
}

Switch::Switch(Tensor control, const DebugContext& debugContext)
    : Switch(std::move(control), Program(), debugContext) {}

Switch::Switch(Tensor control, const Cases& cases, const DebugContext& debugContext)
    : Switch(std::move(control), cases, Program(), debugContext) {}

Switch::Switch(Tensor control, const Cases& cases, const Program& defaultCase,
               const DebugContext& debugContext)
    : Switch(std::move(control), defaultCase, debugContext) {
  for (const auto& c : cases) add(c.first, c.second);
}

Switch Switch::switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext) {
  return Switch(std::move(control), Abort("Switch: expected the value of one of its cases"),
                debugContext);
}

Switch& Switch::add(std::int32_t value, const Program& program) {
  for (std::int32_t c : data_->cases) {
    if (c == value) errors::duplicateCase(value);
  }
  const std::shared_ptr<const ProgramData> child = Access::data(program);
  if (data_.use_count() != 1) data_ = std::make_shared<ProgramData>(*data_);
  data_->cases.push_back(value);
  data_->children.insert(data_->children.end() - 1, child);
  return *this;
}

Call::Call(Function function, const DebugContext&) : Program(make(ProgramKind::CALL)) {
  data_->number = function.getId();
}

Call::Call(HostFunction function, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
           const DebugContext&)
    : Program(make(ProgramKind::HOST_CALL)) {
  data_->number = function.getId();
  data_->inputs = inputs.cloneAsVector();
  data_->outputs = outputs.cloneAsVector();
}

Block::Block(const Program& program, const DebugContext& debugContext) {
  data_->children = {Access::data(program)};
  data_->number = kBlock;
  data_->text = debugContext.getPathName();
}

AssumeEqualAcrossReplicas::AssumeEqualAcrossReplicas(Tensor t, const DebugContext&) {
  Access::view(t, "AssumeEqualAcrossReplicas");
}

PrintTensor::PrintTensor(Tensor t, const DebugContext& debugContext)
    : PrintTensor(std::move(t), PrintTensorFmt(), debugContext) {}

PrintTensor::PrintTensor(Tensor t, const PrintTensorFmt& format, const DebugContext& debugContext)
    : PrintTensor(debugContext.getPathName(), std::move(t), format) {}

PrintTensor::PrintTensor(StringRef title, Tensor t, const DebugContext& debugContext)
    : PrintTensor(title, std::move(t), PrintTensorFmt(), debugContext) {}

PrintTensor::PrintTensor(StringRef title, Tensor t, const PrintTensorFmt& format,
                         const DebugContext&)
    : Program(withTensor(ProgramKind::PRINT, std::move(t), "PrintTensor")) {
  data_->text = title.str();
  data_->format = format;
}

WriteUndef::WriteUndef(Tensor t, const DebugContext&)
    : Program(withTensor(ProgramKind::WRITE_UNDEF, std::move(t), "WriteUndef")) {}

Sync::Sync(SyncType, const DebugContext&) : Program(make(ProgramKind::SYNC)) {}

Abort::Abort(const DebugContext&) : Program(make(ProgramKind::ABORT)) {}

Abort::Abort(const char* message, const DebugContext& debugContext)
    : Abort(messageOf(message), debugContext) {}

Abort::Abort(const std::string& message, const DebugContext&) : Program(make(ProgramKind::ABORT)) {
  data_->text = message;
}

AbortOnCondition::AbortOnCondition(Tensor predicate, const DebugContext& debugContext)
    : AbortOnCondition(std::move(predicate), std::string(), debugContext) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, const char* message,
                                   const DebugContext& debugContext)
    : AbortOnCondition(std::move(predicate), messageOf(message), debugContext) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, const std::string& message,
                                   const DebugContext&)
    : Program(withPredicate(ProgramKind::ABORT_IF, std::move(predicate), "AbortOnCondition")) {
  data_->text = message;
}

ErrorProgram::ErrorProgram(StringRef message, Tensor t, const DebugContext&)
    : Program(withTensor(ProgramKind::ERROR, std::move(t), "ErrorProgram")) {
  data_->text = message.str();
}

}  // namespace program
}  // namespace poplar
