// Collective operations of a graph of one replica, and between its IPUs.
#include <cstring>
#include <gcl/CollectiveBalancedReorder.hpp>
#include <gcl/Collectives.hpp>
#include <gcl/TileAllocation.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <sstream>

#include "harness.hpp"

using Op = gcl::CollectiveOperator;

static void crossReplica() {
  Case c("cross");
  Graph& g = c.graph;
  popops::addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {2, 6}, numbers(12, -1, 1));
  const gcl::CommGroup one(gcl::CommGroupType::CONSECUTIVE, 1), all;
  const Tensor sum = gcl::allReduceCrossReplica(g, x, Op::ADD, c.prog, one, "sum");
  const Tensor squares = gcl::allReduceCrossReplica(g, x, Op::SQUARE_ADD, c.prog, "squares");
  const auto both = gcl::allReduceCrossReplica(g, {x, x[0]}, Op::MAX, c.prog, all);
  const Tensor to = g.clone(x);
  gcl::allReduceToDestinationCrossReplica(g, x, to, Op::MEAN, c.prog);
  const Tensor part = gcl::reduceScatterCrossReplica(g, x.flatten(), Op::LOCAL, c.prog, one);
  const Tensor gathered = gcl::allGatherCrossReplica(g, x, c.prog, gcl::CommGroup(), "gather");
  const Tensor exchanged =
      gcl::allToAllCrossReplica(g, x.expand({0}), c.prog, {}, DebugContext("allToAll"));
  const Tensor root = gcl::broadcastCrossReplica(g, x, c.prog, one, 0);
  const Tensor own = c.input("own", FLOAT, {4}, {1, -2, 3, -4});
  gcl::allReduceInPlaceCrossReplica(g, own, Op::SQUARE_ADD, c.prog, one);
  // Copies: what is written to the source afterwards is not in them.
  popops::zero(g, x, c.prog);
  c.output("sum", sum);
  c.output("squares", squares);
  c.output("max", both[1]);
  c.output("mean", to);
  c.output("part", part);
  c.output("gathered", gathered);
  c.output("exchanged", exchanged);
  c.output("root", root);
  c.output("own_after", own);
  const gcl::CommGroup two(gcl::CommGroupType::CONSECUTIVE, 2, 1);
  CHECK(two.replicaGroupSize() == 2 && two.type() == gcl::CommGroupType::CONSECUTIVE);
  expectError("group", [&] { gcl::allReduceCrossReplica(g, x, Op::ADD, c.prog, two); });
  expectError("local", [&] { gcl::allReduceCrossReplica(g, x, Op::LOCAL, c.prog); });
  expectError("bools", [&] { gcl::allReduceCrossReplica(g, x, Op::LOGICAL_OR, c.prog); });
  expectError("rows", [&] { gcl::allToAllCrossReplica(g, x, c.prog); });
  expectError("rank", [&] { gcl::reduceScatterCrossReplica(g, x, Op::ADD, c.prog); });
  expectError("root", [&] { gcl::broadcastCrossReplica(g, x, c.prog, all, 1); });
  std::ostringstream name;
  name << Op::LOGICAL_AND;
  Op op = Op::ADD;
  std::istringstream("MEAN") >> op;
  CHECK(name.str() == "LOGICAL_AND" && op == Op::MEAN);
  c.run();
}

static void withinReplica() {
  Case c("within");
  Graph& g = c.graph;
  popops::addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {3, 7}, numbers(21, -1, 1));
  c.output("sum", gcl::allReduceWithinReplica(g, x, Op::ADD, c.prog, "sum"));
  c.output("mean", gcl::allReduceWithinReplica(g, x, Op::MEAN, c.prog));
  const gcl::Chunks chunks = gcl::reduceScatterWithinReplica(g, x, Op::MAX, c.prog);
  CHECK(chunks.chunks.size() == 3 && chunks.chunks[1].index == 1);
  c.output("max", gcl::concatChunks(chunks));
  c.output("all", gcl::allGatherWithinReplica(g, chunks, c.prog));
  const Tensor ints = c.input("ints", INT, {2, 2}, {1, 2, 3, 4});
  expectError("mean", [&] { gcl::allReduceWithinReplica(g, ints, Op::MEAN, c.prog); });
  c.run();
}

static void places() {
  const Device device = modelDevice(64);
  Graph g(device);
  const unsigned io = gcl::getMinIoTiles(g);
  CHECK(gcl::perIPUTiles(g, 0, io).size() == io);
  const auto rest = gcl::perIPUTiles(g, io, 64 - io);
  CHECK(rest.front() == io && rest.back() == 63);
  CHECK(g.createVirtualGraph(rest).getTarget().getNumTiles() == 64 - io);
  expectError("tiles", [&] { gcl::perIPUTiles(g, 60, 6); });
  expectError("pairs", [&] { gcl::perIPUTiles(g, 0, 3); });

  const Tensor t = g.addVariable(FLOAT, {10, 5});
  g.setTileMapping(t, 3);
  gcl::CollectiveBalancedReorder order(g, t, 3, "t", false, 4);
  CHECK(order.getNumRearrangedTensorElems() == 60 && order.createReplicaSlice(HALF).dim(0) == 20);
  const Tensor all = order.createCollectivesTensor(FLOAT, "c");
  CHECK(order.undoRearrangeForCollective(all).shape() == t.shape());
  CHECK(g.getTileMapping(all)[3].size() == 1);
  const auto& host = order.getHostRearrangement();
  std::vector<float> in(50), out(60, 7), back(50);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  host.rearrangeForCollective(reinterpret_cast<const char*>(in.data()), 200,
                              reinterpret_cast<char*>(out.data()), 240, 4);
  host.undoRearrangeForCollective(reinterpret_cast<const char*>(out.data()), 240,
                                  reinterpret_cast<char*>(back.data()), 200, 4);
  CHECK(back == in && out[59] == 0);
  expectError("bytes", [&] {
    host.rearrangeForCollective(reinterpret_cast<const char*>(in.data()), 200,
                                reinterpret_cast<char*>(out.data()), 200, 4);
  });
}

int main() {
  crossReplica();
  withinReplica();
  places();
}
