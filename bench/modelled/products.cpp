// Modelled cycles of a product of halves on a tile, [ROWS, 16] times [16, 16]: one number, of the
// compute set that multiplies. The emulator adds in float, and rounds in another compute set.
//
//   g++ -O2 -std=c++17 products.cpp -I PREFIX/include -L PREFIX/lib -lpoplin -lpoplar
//   ./a.out ROWS
#include <cstdlib>
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/emulator/Profile.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/codelets.hpp>
#include <popops/codelets.hpp>

using namespace poplar;

constexpr std::size_t kWidth = 16;

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const auto rows = std::size_t(std::atoi(arguments[1]));
  IPUModel model("ipu21");
  model.tilesPerIPU = 1;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  popops::addCodelets(graph);
  poplin::addCodelets(graph);
  const Tensor left = graph.addVariable(HALF, {rows, kWidth}, "left");
  const Tensor right = graph.addVariable(HALF, {kWidth, kWidth}, "right");
  graph.setTileMapping(left, 0);
  graph.setTileMapping(right, 0);
  program::Sequence product;
  poplin::matMul(graph, left, right, product, HALF, "product");
  Engine engine(graph, product);
  engine.load(device);
  engine.run();
  for (const emulator::StepProfile& step : emulator::getProfile(engine).steps) {
    if (step.kind != "Execute" || step.flops != 2 * rows * kWidth * kWidth) continue;
    std::cout << step.cycles.total() << '\n';
    return 0;
  }
  std::cerr << "no step has the product's operations\n";
  return 1;
}
