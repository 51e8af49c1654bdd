// Reports of an Engine, from it and from the file that it writes.
#include <poplar/CycleCount.hpp>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>
#include <pva/pva.hpp>

#include "harness.hpp"

static std::size_t vertices(const std::vector<pva::Tile>& tiles, const std::string& type) {
  std::size_t n = 0;
  for (const pva::Tile& tile : tiles) {
    for (const pva::VertexInstance& v : tile.memory().vertices()) {
      n += v.type().name().compare(0, type.size(), type) == 0;
    }
  }
  return n;
}

static void check(const pva::Report& report, bool ran) {
  CHECK(report.poplarVersion().string() == "3.4.0");
  const auto& compilation = report.compilation();
  CHECK(compilation.target().numTiles() == 4 && compilation.tiles().size() == 4);
  CHECK(compilation.target().bytesPerIPU() == 4 * compilation.target().bytesPerTile());
  CHECK(compilation.graph().numComputeSets() == 1 && compilation.computeSets().size() == 1);
  CHECK(compilation.computeSets()[0].vertices().size() == compilation.graph().numVertices());
  CHECK(vertices(compilation.tiles(), "popops::Map<") == compilation.graph().numVertices());
  const pva::TileMemory& memory = compilation.tiles()[0].memory();
  CHECK(memory.total().excludingGaps() > 0);
  const pva::MemoryCategories& in = memory.category();
  CHECK(in.variable().nonInterleaved().nonOverlapped() == 16 * sizeof(float));
  CHECK(in.vertexInstanceState().total() > 0 && in.internalExchangeCode().total() == 0);
  CHECK(in.constant().total() + in.message().total() + in.rearrangement().total() +
            in.stack().total() + in.variable().total() + in.vertexCode().total() +
            in.vertexInstanceState().total() ==
        memory.total().excludingGaps());
  const auto& steps = report.execution().steps();
  if (!ran) {
    CHECK(steps.empty());
    return;
  }
  CHECK(steps.size() == 1 && steps[0].runs() == 3 && steps[0].ipus().size() == 1);
  CHECK(steps[0].program()->type() == pva::Program::Type::OnTileExecute);
  CHECK(report.execution().blocks(2).empty());  // no filter
  const auto& cs = steps[0].computeSets()[0];
  CHECK(cs.name() == compilation.computeSets()[0].name() && cs.cyclesByTile().size() == 4);
  CHECK(cs.cyclesByTile()[0] > 0);
  CHECK(steps[0].ipus()[0].cycles() >= 3 * static_cast<double>(cs.cyclesByTile()[0]));
}

static void refused(const char* path) {
  try {
    pva::openReport(path);
    CHECK(false);
  } catch (const std::runtime_error& e) {
    CHECK(e.what() == "pva::openReport: expected a report that an Engine has written, got '" +
                          std::string(path) + "'");
  }
}

int main(int, char** argv) {
  const std::string directory = argv[0] + std::string(".reports");
  {
    const Device device = modelDevice(4);
    Graph g(device);
    popops::addCodelets(g);
    const Tensor x = g.addVariable(FLOAT, {64}, VariableMappingMethod::LINEAR);
    Sequence prog;
    popops::mulInPlace(g, x, 2.0f, prog, "scale");
    Engine engine(g, Repeat(3, prog),
                  {{"autoReport.all", "true"}, {"autoReport.directory", directory}});
    check(engine.getReport(false), false);
    engine.load(device);
    engine.run();
    check(engine.getReport(), true);
  }
  check(pva::openReport(directory + "/profile.pop"), true);
  refused("no such file");
  refused(argv[0]);
  std::cout << "{\"error\":\"directory\",\"text\":\"" << directory << "\"}\n";
}
