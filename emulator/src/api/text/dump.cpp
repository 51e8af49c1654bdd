// Programs as an indented list, for people.
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <string>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "api/program_data.hpp"

namespace poplar {
namespace emulator {

namespace {

// In the order of ProgramKind.
const char* const kKinds[] = {
    "Sequence",
    "Execute",
    "Copy",
    "StreamCopy to device",
    "StreamCopy to host",
    "RemoteCopy to device",
    "RemoteCopy to host",
    "Repeat",
    "RepeatWhileTrue",
    "RepeatWhileFalse",
    "If",
    "Switch",
    "Call",
    "HostCall",
    "PrintTensor",
    "WriteUndef",
    "CycleStamp",
    "CycleDifference",
    "Sync",
    "Abort",
    "AbortOnCondition",
    "ErrorProgram",
};
static_assert(sizeof(kKinds) / sizeof(kKinds[0]) == static_cast<size_t>(ProgramKind::ERROR) + 1,
              "a name for each kind");

void writeTensor(std::ostream& out, const Tensor& t) {
  if (t.valid()) out << ' ' << t.elementType() << ' ' << t.shapeToString();
}

// `graph` may be null: compute sets show by their numbers then.
void write(std::ostream& out, const ProgramData& p, const GraphData* graph, size_t depth) {
  out << std::string(2 * depth, ' ') << kKinds[static_cast<size_t>(p.kind)];
  switch (p.kind) {
    case ProgramKind::EXECUTE:
      if (graph != nullptr) {
        out << ' ' << graph->compute_sets.at(p.number).name;
        break;
      }
      out << " compute set " << p.number;
      break;
    case ProgramKind::REPEAT:
    case ProgramKind::CALL:
    case ProgramKind::HOST_CALL:
      out << ' ' << p.number;
      break;
    case ProgramKind::STREAM_TO_TENSOR:
    case ProgramKind::TENSOR_TO_STREAM:
      out << " '" << p.stream.handle() << "'";
      break;
    case ProgramKind::REMOTE_TO_TENSOR:
    case ProgramKind::TENSOR_TO_REMOTE:
      out << " '" << p.remote.handle() << "'";
      break;
    default:
      if (!p.text.empty()) out << " '" << p.text << "'";
  }
  writeTensor(out, p.first);
  writeTensor(out, p.second);
  out << '\n';
  for (size_t i = 0; i < p.children.size(); ++i) {
    if (i < p.cases.size()) out << std::string(2 * depth, ' ') << "case " << p.cases[i] << ":\n";
    if (p.children[i]) write(out, *p.children[i], graph, depth + 1);
  }
}

}  // namespace

}  // namespace emulator

namespace program {

using emulator::Access;

void Program::dump(std::ostream& out) const { emulator::write(out, *data_, nullptr, 0); }

void dumpProgram(const Graph& graph, const Program& program, std::ostream& out) {
  emulator::write(out, *Access::data(program), Access::data(graph).get(), 0);
}

}  // namespace program
}  // namespace poplar
