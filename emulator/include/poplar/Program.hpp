#ifndef poplar_Program_hpp
#define poplar_Program_hpp

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <ostream>
#include <poplar/ArrayRef.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/PrintTensor.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>
#include <vector>

namespace poplar {

class Graph;

namespace emulator {
struct ProgramData;
}

namespace program {

/// A control program: a value; what is put into another program is copied into it.
class Program {
 public:
  Program();
  // A move copies, so that what was moved from is a program still.
  Program(const Program&) = default;
  Program& operator=(const Program&) = default;
  bool isEmpty() const;
  /// Writes the programs within, as an indented list: for people.
  void dump(std::ostream& out) const;

 protected:
  explicit Program(std::shared_ptr<emulator::ProgramData> data);
  std::shared_ptr<emulator::ProgramData> data_;

 private:
  friend struct emulator::Access;
};

class Sequence : public Program {
 public:
  Sequence();
  explicit Sequence(const DebugContext& debugContext);
  Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext = {});
  explicit Sequence(const std::vector<Program>& programs, const DebugContext& debugContext = {});
  explicit Sequence(const Program& only) : Sequence({only}) {}
  template <class... Programs>
  Sequence(const Program& first, const Program& second, const Programs&... more)
      : Sequence({first, second, static_cast<const Program&>(more)...}) {}
  /// Appends; programs that this sequence was put into before stay as they were.
  void add(const Program& program);
};

class Execute : public Program {
 public:
  explicit Execute(ComputeSet cs, const DebugContext& debugContext = {});
};

/// Copies a tensor to another or through a stream. Overlapping tensors copy by value.
class Copy : public Program {
 public:
  Copy(Tensor source, Tensor destination, bool dontOutline = false,
       const DebugContext& debugContext = {});
  Copy(const DataStream& stream, Tensor destination, bool optimiseMemory = false,
       const DebugContext& debugContext = {});
  Copy(Tensor source, const DataStream& stream, bool optimiseMemory = false,
       const DebugContext& debugContext = {});
  /// All rows of a remote buffer.
  Copy(const RemoteBuffer& buffer, Tensor destination, const DebugContext& debugContext = {});
  Copy(Tensor source, const RemoteBuffer& buffer, const DebugContext& debugContext = {});
  /// One row for each element of `offset`.
  Copy(const RemoteBuffer& buffer, Tensor destination, Tensor offset,
       const DebugContext& debugContext = {});
  Copy(Tensor source, const RemoteBuffer& buffer, Tensor offset,
       const DebugContext& debugContext = {});
  /// Loads the code of a function, which must be the buffer's: it changes no tensor.
  Copy(const FunctionBuffer& buffer, Function function, const DebugContext& debugContext = {});
};

/// Copies between replicas: from each replica that `replicaMap` names to the one it maps it to. A
/// graph of the emulator has replica 0 alone.
class CrossReplicaCopy : public Program {
 public:
  CrossReplicaCopy(Tensor source, Tensor destination, std::map<unsigned, unsigned> replicaMap,
                   const DebugContext& debugContext = {});
};

class Repeat : public Program {
 public:
  Repeat(unsigned count, const Program& program, const DebugContext& debugContext = {});
};

/// Runs `condition`, and while `predicate` is then not zero, `body` and `condition`.
class RepeatWhileTrue : public Program {
 public:
  RepeatWhileTrue(const Program& condition, Tensor predicate, const Program& body,
                  const DebugContext& debugContext = {});
};

class RepeatWhileFalse : public Program {
 public:
  RepeatWhileFalse(const Program& condition, Tensor predicate, const Program& body,
                   const DebugContext& debugContext = {});
};

class If : public Program {
 public:
  If(Tensor predicate, const Program& trueBody, const Program& falseBody,
     const DebugContext& debugContext = {});
};

class Switch : public Program {
 public:
  typedef std::vector<std::pair<std::int32_t, Program>> Cases;
  explicit Switch(Tensor control, const DebugContext& debugContext = {});
  Switch(Tensor control, const Program& defaultCase, const DebugContext& debugContext = {});
  Switch(Tensor control, const Cases& cases, const DebugContext& debugContext = {});
  Switch(Tensor control, const Cases& cases, const Program& defaultCase,
         const DebugContext& debugContext = {});
  /// One that never gets another value than those of its cases: the run ends if it does.
  static Switch switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext = {});
  Switch& add(std::int32_t value, const Program& program);
};

class Call : public Program {
 public:
  explicit Call(Function function, const DebugContext& debugContext = {});
  Call(HostFunction function, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
       const DebugContext& debugContext = {});
};

/// A program with a name of its own in profiles.
class Block : public Program {
 public:
  Block(const Program& program, const DebugContext& debugContext);
};

/// Declares that a tensor holds the same values in every replica.
class AssumeEqualAcrossReplicas : public Program {
 public:
  explicit AssumeEqualAcrossReplicas(Tensor t, const DebugContext& debugContext = {});
};

/// Prints the tensor, after its title, to the Engine's print stream.
class PrintTensor : public Program {
 public:
  explicit PrintTensor(Tensor t, const DebugContext& debugContext = {});
  PrintTensor(Tensor t, const PrintTensorFmt& format, const DebugContext& debugContext = {});
  PrintTensor(StringRef title, Tensor t, const DebugContext& debugContext = {});
  PrintTensor(StringRef title, Tensor t, const PrintTensorFmt& format,
              const DebugContext& debugContext = {});
};

/// Declares that the contents of a tensor are not needed any more.
class WriteUndef : public Program {
 public:
  explicit WriteUndef(Tensor t, const DebugContext& debugContext = {});
};

class Sync : public Program {
 public:
  explicit Sync(SyncType type, const DebugContext& debugContext = {});
};

/// Ends the run with an `application_runtime_error`.
class Abort : public Program {
 public:
  Abort(const DebugContext& debugContext = {});
  Abort(const char* message, const DebugContext& debugContext = {});
  Abort(const std::string& message, const DebugContext& debugContext = {});
};

/// Ends the run as Abort does where `predicate` is not zero.
class AbortOnCondition : public Program {
 public:
  explicit AbortOnCondition(Tensor predicate, const DebugContext& debugContext = {});
  AbortOnCondition(Tensor predicate, const char* message, const DebugContext& debugContext = {});
  AbortOnCondition(Tensor predicate, const std::string& message,
                   const DebugContext& debugContext = {});
};

/// Ends the run with the message and the contents of `t`.
class ErrorProgram : public Program {
 public:
  ErrorProgram(StringRef message, Tensor t, const DebugContext& debugContext = {});
};

/// As Program::dump, with the names of the graph's compute sets.
void dumpProgram(const Graph& graph, const Program& program, std::ostream& out);

}  // namespace program
}  // namespace poplar

#endif  // poplar_Program_hpp
