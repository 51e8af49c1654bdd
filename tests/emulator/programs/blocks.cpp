// The trace of blocks and stream copies that an Engine records: pva::ExecutionReport::blocks().
#include <poplar/CycleCount.hpp>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>
#include <pva/pva.hpp>

#include "harness.hpp"

using Blocks = std::vector<pva::BlockStep>;

static std::string names(const Blocks& blocks) {
  std::string out;
  for (const pva::BlockStep& block : blocks) out += block.program()->name() + ' ';
  return out;
}

static std::size_t count(const Blocks& blocks, bool (pva::BlockStep::*is)() const) {
  std::size_t n = 0;
  for (const pva::BlockStep& block : blocks) n += (block.*is)();
  return n;
}

// Two IPUs of four tiles, a vector on tile 1 of each, and a program that scales it.
struct Pair {
  Pair() : device(twoIpus()), graph(device) {
    popops::addCodelets(graph);
    for (unsigned ipu : {0u, 1u}) {
      x[ipu] = graph.addVariable(FLOAT, {64}, "x");
      graph.setTileMapping(x[ipu], 4 * ipu + 1);
      graph.setInitialValue<float>(x[ipu], std::vector<float>(64, 1.0f));
    }
  }
  static Device twoIpus() {
    IPUModel model;
    model.numIPUs = 2;
    model.tilesPerIPU = 4;
    return model.createDevice();
  }
  Program scale(unsigned ipu, const std::string& name) {
    Sequence out(name);
    popops::mulInPlace(graph, x[ipu], 0.5f, out, "scaling");
    return out;
  }
  pva::ExecutionReport run(const Program& program, const OptionFlags& options) {
    Engine engine(graph, program, options);
    float value[64] = {};
    for (const char* stream : streams) engine.connectStream(stream, value);
    engine.load(device);
    engine.run();
    return engine.getReport().execution();
  }
  Device device;
  Graph graph;
  Tensor x[2];
  std::vector<const char*> streams;
};

static void testNestedBlocks() {
  Pair p;
  const auto stage = [&](unsigned ipu, const char* name) {
    return Block(Sequence{Block(p.scale(ipu, ""), "op1"), Block(p.scale(ipu, ""), "op2")}, name);
  };
  const Repeat loop(5, Sequence{stage(0, "stage1"), stage(1, "stage2")});
  const auto report = p.run(loop, {{"profiler.blocks.filter", "stage.|op2"}});
  for (unsigned ipu : {0u, 1u}) {
    const Blocks blocks = report.blocks(4 * ipu);
    CHECK(blocks.size() == 10 && report.blocks(4 * ipu + 1).empty());
    const std::string name = ipu == 0 ? "stage1" : "stage2";
    for (std::size_t i = 0; i < blocks.size(); i += 2) {
      CHECK(blocks[i].program()->name() == name && blocks[i + 1].program()->name() == "op2");
      CHECK(blocks[i].isCommon() && blocks[i].tile() == 4 * ipu);
      const auto cycles = [&](std::size_t b) {
        return blocks[b].cyclesTo() - blocks[b].cyclesFrom();
      };
      // Two scalings of the same size, the second of which is op2.
      CHECK(cycles(i + 1) > 0 && cycles(i) == 2 * cycles(i + 1));
      CHECK(blocks[i].cyclesTo() == blocks[i + 1].cyclesTo());
      CHECK(i == 0 || blocks[i].cyclesFrom() >= blocks[i - 1].cyclesTo());
    }
  }
  CHECK(names(p.run(loop, {{"profiler.blocks.filter", "op1"}, {"profiler.blocks.tile", "3"}})
                  .blocks(7)) == "op1 op1 op1 op1 op1 ");
  CHECK(p.run(loop, {}).blocks(0).empty());
}

static void testPrograms() {
  Pair p;
  const Repeat loop(3, Sequence{p.scale(0, "first"), p.scale(1, "second")});
  const auto report = p.run(loop, {{"profiler.programs.filter", "first|second"}});
  CHECK(names(report.blocks(0)) == "first first first ");
  CHECK(names(report.blocks(4)) == "second second second ");
  const Blocks sets = p.run(loop, {{"profiler.programs.filter", ".*scaling.*"}}).blocks(0);
  CHECK(sets.size() == 3 && sets[0].program()->name().find("scaling") != std::string::npos);
  CHECK(p.run(loop, {{"profiler.blocks.filter", ".*"}}).blocks(0).empty());
}

// A buffer of 1,000 bytes holds 83 begins and ends.
static void testBuffer() {
  Pair p;
  const Repeat loop(100, p.scale(0, "operation"));
  OptionFlags options{{"profiler.programs.filter", "operation"},
                      {"debug.instrumentExternalExchange", "true"}};
  Blocks blocks = p.run(loop, options).blocks(0);
  CHECK(blocks.size() == 400 && count(blocks, &pva::BlockStep::isCommon) == 100);
  CHECK(count(blocks, &pva::BlockStep::isBlockFlush) == 300);
  options.set("profiler.blocks.implicitFlush", "false");
  blocks = p.run(loop, options).blocks(0);
  CHECK(blocks.size() == 43 && count(blocks, &pva::BlockStep::isCommon) == 42);
  CHECK(blocks.back().isOverflow() && blocks.back().cyclesTo() > blocks.back().cyclesFrom());
  options.set("profiler.blocks.bufferSize", "4000");
  CHECK(p.run(loop, options).blocks(0).size() == 100);
}

static void testStreams() {
  Pair p;
  const DataStream in = p.graph.addHostToDeviceFIFO("in", FLOAT, 64);
  p.streams = {"in"};
  const Repeat loop(2, Sequence{Copy(in, p.x[1]), p.scale(0, "operation")});
  OptionFlags options{{"profiler.programs.filter", "operation"},
                      {"profiler.blocks.implicitFlush", "false"}};
  CHECK(p.run(loop, options).blocks(5).empty());
  options.set("debug.instrumentExternalExchange", "true");
  const auto report = p.run(loop, options);
  CHECK(names(report.blocks(0)) == "operation operation ");
  const Blocks copies = report.blocks(5);
  CHECK(count(copies, &pva::BlockStep::isStreamCopy) == 6 && copies.size() == 6);
  using Type = pva::Program::Type;
  const Type types[] = {Type::StreamCopyBegin, Type::StreamCopyMid, Type::StreamCopyEnd};
  for (std::size_t i = 0; i < 6; ++i) CHECK(copies[i].program()->type() == types[i % 3]);
  CHECK(copies[2].cyclesTo() > copies[0].cyclesFrom());
  CHECK(copies[3].cyclesFrom() >= report.blocks(0)[0].cyclesTo());
}

static void testRefusal() {
  Pair p;
  try {
    p.run(p.scale(0, ""), {{"profiler.blocks.filter", "["}});
    CHECK(false);
  } catch (const poplar_error& e) {
    CHECK(std::string(e.what()) ==
          "Engine: expected a regular expression for 'profiler.blocks.filter', got '['");
  }
}

// A file has what the Engine's own report has.
static void testFile(const std::string& directory) {
  Pair p;
  p.run(Block(p.scale(1, ""), "saved"), {{"profiler.blocks.filter", "saved"},
                                         {"autoReport.all", "true"},
                                         {"autoReport.directory", directory}});
  const Blocks blocks = pva::openReport(directory + "/profile.pop").execution().blocks(4);
  CHECK(names(blocks) == "saved " && blocks[0].cyclesTo() > blocks[0].cyclesFrom());
}

int main(int, char** argv) {
  testNestedBlocks();
  testPrograms();
  testBuffer();
  testStreams();
  testRefusal();
  const std::string directory = argv[0] + std::string(".reports");
  testFile(directory);
  std::cout << "{\"error\":\"directory\",\"text\":\"" << directory << "\"}\n";
}
