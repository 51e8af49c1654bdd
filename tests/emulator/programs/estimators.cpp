// Estimators as libraries of the SDK write them; prints the cycles of a run of each compute set.
#ifdef __POPC__
#include <poplar/Vertex.hpp>

using namespace poplar;

namespace ns {

template <typename T, bool twice>
class Scale : public Vertex {
 public:
  InOut<Vector<T, VectorLayout::SCALED_PTR32, 4>> x;
  Vector<unsigned> widths;
  const unsigned n;
  void compute() {}
};
template class Scale<float, true>;

class Lists : public MultiVertex {
 public:
  Vector<Input<Vector<half, VectorLayout::SHORT_SPAN>>> rows;
  Input<VectorList<float, VectorListLayout::DELTAN>> list;
  Output<float> out;
  void compute(unsigned) {}
};

}  // namespace ns
#else
#include <cstdio>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/emulator/Profile.hpp>
#include <poputil/cyclesTables.hpp>
#include <sstream>

using namespace poplar;

namespace {

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Scale)(const VertexIntrospector& vertex,
                                                   const Target& target, const Type& type,
                                                   bool twice) {
  CODELET_FIELD(x);
  CODELET_SCALAR_VAL(n, unsigned);
  CODELET_VECTOR_VALS(widths, unsigned);
  std::uint64_t cycles = poputil::internal::getUnpackCost(x.getProfilerVectorLayout(0));
  for (unsigned w : widths) cycles += w;
  return {1000 * cycles + (twice ? 100 : 0) + n * target.getVectorWidth(type), x.size()};
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Lists)(const VertexIntrospector& vertex,
                                                   const Target&) {
  CODELET_FIELD(rows);
  CODELET_FIELD(list);
  const auto layout = list.getProfilerVectorListLayout();
  const bool outer_span = rows.getProfilerVectorLayout(0) == layout::Vector::Span;
  return 10000 * poputil::internal::getUnpackCost(rows.getProfilerVectorLayout(1)) +
         1000 * poputil::internal::getVectorListDeltaUnpackCost(layout) + 100 * rows[1].size() +
         10 * list.size() + (outer_span ? 1 : 0);
}

}  // namespace

int main() {
  IPUModel model;
  model.tilesPerIPU = 1;
  const Device device = model.createDevice();
  Graph graph(device);
  graph.addCodelets(__FILE__);
  poputil::internal::registerPerfFunctions(graph, {CYCLE_ESTIMATOR_ENTRY(ns, Scale, FLOAT, true),
                                                   CYCLE_ESTIMATOR_ENTRY_NOPARAMS(ns, Lists)});
  const Tensor x = graph.addVariable(FLOAT, {3, 4}, "x"), h = graph.addVariable(HALF, {2, 5}, "h");
  graph.setTileMapping(x, 0);
  graph.setTileMapping(h, 0);
  const ComputeSet scale = graph.addComputeSet("scale"), lists = graph.addComputeSet("lists");
  const VertexRef s = graph.addVertex(scale, "ns::Scale<float,true>", {{"x", x[0]}});
  graph.setInitialValue(s["n"], 7);
  graph.setInitialValue(s["widths"], std::vector<unsigned>{3, 4});
  graph.setTileMapping(s, 0);
  const VertexRef l =
      graph.addVertex(lists, "ns::Lists", {{"rows", h}, {"list", x}, {"out", x[2][3]}});
  graph.setTileMapping(l, 0);

  using namespace poplar::program;
  Engine engine(graph, Sequence({Execute(scale), Execute(lists)}));
  engine.load(device);
  engine.run();
  for (const emulator::StepProfile& step : emulator::getProfile(engine).steps) {
    std::printf("%s %.0f %llu\n", step.name.c_str(), step.cycles.total(),
                static_cast<unsigned long long>(step.flops));
  }
  std::ostringstream text;
  engine.printProfileSummary(text, OptionFlags{{"showExecutionSteps", "true"}});
  return text.str().find("Memory Usage:") == std::string::npos;
}
#endif
