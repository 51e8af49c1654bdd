// Estimates of hand-written vertices of the device for the same operations; the codelets here
// are for the host. Cycles are of the public cost tables of poplibs where it has the job.
#include "cycles.hpp"

#include <algorithm>
#include <cmath>
#include <popops/ExprOp.hpp>
#include <poputil/cyclesTables.hpp>

#include "codelets/map_code.hpp"

namespace popops {

namespace {

using namespace poplar;

constexpr std::uint64_t kWorkerEntry = 20;  // with the prologue and the exit
constexpr std::uint64_t kSupervisor = 11;
// Of poplibs' BinaryOp1D: entry for floats and for halves, and a vector of a sum, difference or
// product of two vectors in assembly: two loads, with the operation in the bundle of the store.
constexpr std::uint64_t kFloatPairEntry = 29, kHalfPairEntry = 26, kPairVector = 3;
constexpr std::uint64_t kRow = 5;      // a loop's start
constexpr std::uint64_t kScalar = 3;   // load, work, store of one value
constexpr std::uint64_t kSlice = 19;   // of each offset: find its row
constexpr std::uint64_t kUnary = 3;    // most functions have an instruction of their own, some not
constexpr std::uint64_t kCompare = 6;  // with the branch, of a sort

// Vectors as wide as the data path.
std::uint64_t vectors(std::size_t elements, const Type& type, const Target& target) {
  const std::size_t bytes = elements * target.getTypeSize(type),
                    width = target.getDataPathWidth() / 8;
  return (bytes + width - 1) / width;
}

std::uint64_t vectors(const FieldInfo& f, const Target& target) {
  return vectors(f.size(), f.getType(), target);
}

std::uint64_t rowVectors(const FieldInfo& rows, const Target& target) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += kRow + vectors(rows[i].size(), rows.getType(), target);
  }
  return out;
}

// Of a MultiVertex whose workers divide `work` thread cycles.
VertexPerfEstimate shared(std::uint64_t work, const Target& target) {
  const std::uint64_t workers = target.getNumWorkerContexts();
  return kSupervisor + workers * (kWorkerEntry + (work + workers - 1) / workers);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Fill)(const VertexIntrospector& vertex,
                                                  const Target& target, const Type&) {
  return shared(rowVectors(vertex.getFieldInfo("rows"), target), target);
}

// One vector of the wider side for each of the other: a load, the conversion and a store.
VertexPerfEstimate castCycles(const VertexIntrospector& vertex, const Target& target) {
  const std::uint64_t in = vectors(vertex.getFieldInfo("in"), target);
  const std::uint64_t out = vectors(vertex.getFieldInfo("out"), target);
  return kWorkerEntry + kRow + kScalar * std::max(in, out);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(CastFromQuarter)(const VertexIntrospector& vertex,
                                                             const Target& target, const Type&) {
  return castCycles(vertex, target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(CastToQuarter)(const VertexIntrospector& vertex,
                                                           const Target& target, const Type&) {
  return castCycles(vertex, target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(CastQuarter)(const VertexIntrospector& vertex,
                                                         const Target& target) {
  return castCycles(vertex, target);
}

// Whether a Map's program is one of the operations on two vectors that poplibs has in assembly.
bool isPairInAssembly(const std::vector<unsigned>& code) {
  using map_code::Do;
  if (code.size() != 3) return false;
  const auto does = [&](std::size_t pc) { return static_cast<Do>(code[pc] & 0xff); };
  if (does(0) != Do::LOAD || does(1) != Do::LOAD || does(2) != Do::BINARY) return false;
  const auto operation = static_cast<expr::BinaryOpType>(code[2] >> 8 & 0xff);
  const auto kind = static_cast<map_code::Kind>(code[2] >> 16 & 0xff);
  return (kind == map_code::Kind::FLOAT || kind == map_code::Kind::HALF) &&
         (operation == expr::BinaryOpType::ADD || operation == expr::BinaryOpType::SUBTRACT ||
          operation == expr::BinaryOpType::MULTIPLY);
}

VertexPerfEstimate pairCycles(const FieldInfo& out, const Target& target) {
  const std::uint64_t workers = target.getNumWorkerContexts();
  const bool floats = target.getTypeSize(out.getType()) == target.getTypeSize(FLOAT);
  const std::uint64_t elements = (out.size() + workers - 1) / workers;
  VertexPerfEstimate estimate =
      kSupervisor + workers * ((floats ? kFloatPairEntry : kHalfPairEntry) +
                               kPairVector * vectors(elements, out.getType(), target));
  estimate.flops = out.size();
  return estimate;
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Map)(const VertexIntrospector& vertex,
                                                 const Target& target, const Type&) {
  CODELET_FIELD(out);
  CODELET_VECTOR_VALS(code, unsigned);
  if (isPairInAssembly(code)) return pairCycles(out, target);
  std::uint64_t cycles = 1, flops = 0;  // of a vector; the store
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    switch (static_cast<map_code::Do>(code[pc] & 0xff)) {
      case map_code::Do::CONSTANT:
        pc += 2;
        break;
      case map_code::Do::UNARY:
        cycles += kUnary;
        ++flops;
        break;
      case map_code::Do::BINARY:
        ++flops;
        ++cycles;
        break;
      default:
        ++cycles;
    }
  }
  VertexPerfEstimate estimate = shared(cycles * vectors(out, target), target);
  estimate.flops = flops * out.size();
  return estimate;
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ReducePartial)(const VertexIntrospector& vertex,
                                                           const Target& target, const Type&,
                                                           const Type&) {
  return kWorkerEntry + rowVectors(vertex.getFieldInfo("rows"), target) +
         vectors(vertex.getFieldInfo("out"), target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ReduceWhole)(const VertexIntrospector& vertex,
                                                         const Target& target, const Type&,
                                                         const Type&) {
  return kWorkerEntry + rowVectors(vertex.getFieldInfo("rows"), target) +
         2 * vectors(vertex.getFieldInfo("out"), target);
}

// A row of each of `rows` is moved, `passes` times a load or a store of it.
VertexPerfEstimate slices(const VertexIntrospector& vertex, const Target& target, const char* rows,
                          std::uint64_t passes) {
  const FieldInfo field = vertex.getFieldInfo(rows);
  return kWorkerEntry + kSlice * field.size() + passes * rowVectors(field, target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Slice)(const VertexIntrospector& vertex,
                                                   const Target& target, const Type&) {
  return slices(vertex, target, "out", 2);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Update)(const VertexIntrospector& vertex,
                                                    const Target& target, const Type&) {
  return slices(vertex, target, "in", 2);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(UpdateWith)(const VertexIntrospector& vertex,
                                                        const Target& target, const Type&,
                                                        const Type&) {
  return slices(vertex, target, "in", 4);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(SequenceSlice)(const VertexIntrospector& vertex,
                                                           const Target& target, const Type&) {
  CODELET_FIELD(counts);
  return kWorkerEntry + kSlice * counts.size() + 2 * rowVectors(vertex.getFieldInfo("out"), target);
}

// `each` cycles for every element of all ranges.
VertexPerfEstimate ranges(const FieldInfo& out, std::uint64_t each) {
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < out.size(); ++i) elements += out[i].size();
  VertexPerfEstimate estimate = kWorkerEntry + kRow * out.size() + each * elements;
  estimate.flops = each * elements;
  return estimate;
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(SplineBasis)(const VertexIntrospector& vertex,
                                                         const Target&, const Type&) {
  constexpr std::uint64_t kDimension = 20;  // two divisions of integers, and a polynomial
  CODELET_FIELD(kernelSize);
  return ranges(vertex.getFieldInfo("basis"), kScalar + kDimension * kernelSize.size());
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(SplineWeighting)(const VertexIntrospector& vertex,
                                                             const Target&, const Type&) {
  CODELET_FIELD(input);
  CODELET_FIELD(basis);
  const std::uint64_t terms = input.size() == 0 ? 0 : input[0].size() * basis[0].size();
  return ranges(vertex.getFieldInfo("output"), kScalar + kScalar * terms);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(TopKIndices)(const VertexIntrospector& vertex,
                                                         const Target&, const Type&) {
  const double n = static_cast<double>(vertex.getFieldInfo("keys").size());
  return kWorkerEntry + kCompare * static_cast<std::uint64_t>(n * std::ceil(std::log2(n + 1)));
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Permute)(const VertexIntrospector& vertex,
                                                     const Target&, const Type&) {
  return kWorkerEntry + kScalar * vertex.getFieldInfo("out").size();
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ForLoopCounter)(const VertexIntrospector&,
                                                            const Target&) {
  return kWorkerEntry + kScalar;
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(CircOffset)(const VertexIntrospector&, const Target&) {
  return kWorkerEntry + kScalar;
}

poputil::internal::PerfEstimatorTable makeTable() {
  using namespace poplar;
  poputil::internal::PerfEstimatorTable table{
      CYCLE_ESTIMATOR_ENTRY_NOPARAMS(popops, ForLoopCounter),
      CYCLE_ESTIMATOR_ENTRY_NOPARAMS(popops, CircOffset),
      CYCLE_ESTIMATOR_ENTRY_NOPARAMS(popops, CastQuarter),
  };
  for (const Type& t : {FLOAT, HALF, INT, UNSIGNED_INT, SHORT, UNSIGNED_SHORT, BOOL, CHAR,
                        UNSIGNED_CHAR, SIGNED_CHAR, LONGLONG, UNSIGNED_LONGLONG}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, Fill, t));
  }
  for (const Type& t : {FLOAT, HALF, CHAR, UNSIGNED_CHAR, SIGNED_CHAR}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, CastFromQuarter, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, CastToQuarter, t));
  }
  for (const Type& bits : {UNSIGNED_CHAR, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONGLONG}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, Map, bits));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, Slice, bits));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, Update, bits));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, Permute, bits));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, SequenceSlice, bits));
  }
  for (const Type& t : {FLOAT, HALF}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, SplineBasis, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, SplineWeighting, t));
  }
  for (const Type& t : {FLOAT, HALF, INT, UNSIGNED_INT}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, UpdateWith, t, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, TopKIndices, t));
  }
  for (const Type& t : {FLOAT, INT, UNSIGNED_INT, BOOL}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, ReducePartial, t, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, ReduceWhole, t, t));
  }
  table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, UpdateWith, HALF, FLOAT));
  table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, ReducePartial, HALF, FLOAT));
  table.push_back(CYCLE_ESTIMATOR_ENTRY(popops, ReduceWhole, FLOAT, HALF));
  return table;
}

}  // namespace

void registerCycles(Graph& graph) {
  static const poputil::internal::PerfEstimatorTable table = makeTable();
  poputil::internal::registerPerfFunctions(graph, table);
}

}  // namespace popops
