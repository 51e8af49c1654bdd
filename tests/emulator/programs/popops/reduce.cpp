#include <popops/AllTrue.hpp>
#include <popops/Cast.hpp>
#include <popops/Fill.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using namespace popops;
using Shape = std::vector<std::size_t>;

// Cases are named by the operation and the dimensions, for the test to read.
static void reduceCase(Operation op, Type type, const Shape& shape, const Shape& dims,
                       const std::vector<double>& values, Type out_type, bool transposed = false) {
  static int count = 0;
  Case c(std::to_string(count++));
  addCodelets(c.graph);
  const Tensor x = c.input("x", type, shape, values);
  const Tensor in = transposed ? x.transpose() : x;
  std::cout << "{\"reduce\":\"" << count - 1 << "\",\"operation\":\"" << op << "\",\"dims\":[";
  for (std::size_t i = 0; i < dims.size(); ++i) std::cout << (i == 0 ? "" : ",") << dims[i];
  std::cout << "],\"transposed\":" << (transposed ? "true" : "false") << "}\n";
  c.output("out", reduce(c.graph, in, out_type, dims, op, c.prog));
  c.run();
}

static void grid() {
  const std::vector<Shape> shapes = {{40}, {6, 50}, {50, 6}, {3, 4, 5}, {7, 1, 9}, {2, 3, 4, 5}};
  for (const Shape& shape : shapes) {
    for (unsigned bits = 0; bits < 1u << shape.size(); ++bits) {
      Shape dims;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        if (bits >> d & 1) dims.push_back(d);
      }
      reduceCase(Operation::ADD, FLOAT, shape, dims, numbers(300, -1, 1), FLOAT);
      reduceCase(Operation::MAX, INT, shape, dims, numbers(300, -90, 90, true), INT);
      if (shape.size() == 2) {
        reduceCase(Operation::ADD, HALF, shape, dims, numbers(300, -1, 1), HALF);
        reduceCase(Operation::ADD, FLOAT, shape, dims, numbers(300, -1, 1), FLOAT, true);
      }
    }
  }
  for (Operation op : {Operation::MUL, Operation::MIN, Operation::MAX, Operation::SQUARE_ADD,
                       Operation::LOG_ADD}) {
    reduceCase(op, FLOAT, {9, 31}, {0}, numbers(279, 0.5, 1.5), FLOAT);
    reduceCase(op, HALF, {9, 31}, {1}, numbers(279, 0.5, 1.5), FLOAT);
  }
  reduceCase(Operation::LOGICAL_AND, BOOL, {8, 5}, {1}, {1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, BOOL);
  reduceCase(Operation::LOGICAL_OR, BOOL, {8, 5}, {1}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, BOOL);
  reduceCase(Operation::ADD, UNSIGNED_INT, {3, 1000}, {1}, numbers(3000, 0, 9, true), UNSIGNED_INT);
  reduceCase(Operation::ADD, FLOAT, {3, 0}, {1}, {0}, FLOAT);
  reduceCase(Operation::ADD, FLOAT, {0, 3}, {1}, {0}, FLOAT);
}

static void withOutput() {
  Case c("with output");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {20, 30}, numbers(600, -1, 1));
  const Tensor out = c.input("out", FLOAT, {30}, numbers(30, -1, 1, false, 2));
  const Tensor scale = c.input("scale", FLOAT, {}, {0.25});
  const Tensor plain = c.input("plain", HALF, {20}, {5});
  reduceWithOutput(g, x, out, {0}, ReduceParams(Operation::ADD, true, scale), c.prog);
  reduceWithOutput(g, x, plain, {1}, Operation::ADD, c.prog);
  c.output("out_after", out);
  c.output("plain_after", plain);
  std::vector<Tensor> outs;
  reduceMany(g,
             {SingleReduceOp(x, {0, 1}, Operation::ADD),
              SingleReduceOp(x, {1}, ReduceParams(Operation::MAX), HALF)},
             outs, c.prog);
  c.output("all", outs[0]);
  c.output("maxima", outs[1]);
  std::vector<ComputeSet> css;
  const Tensor minima = reduce(g, x, {0}, Operation::MIN, css);
  for (ComputeSet cs : css) c.prog.add(Execute(cs));
  c.output("minima", minima);
  c.run();
}

// Dimensions of 1 on either side; outputs that have no tile yet.
static void singletons() {
  Case c("singletons");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {4, 1, 6}, numbers(24, -1, 1));
  const Tensor kept = c.input("kept", FLOAT, {1, 6, 1}, {0});
  const Tensor scalar = c.input("scalar", FLOAT, {1}, {0});
  const Tensor many = c.input("many", FLOAT, {1, 1, 4}, {0});
  reduceWithOutput(g, x, kept, {0}, Operation::ADD, c.prog);
  reduceWithOutput(g, x, scalar, {0, 1, 2}, Operation::ADD, c.prog);
  std::vector<ComputeSet> css;
  const Tensor columns = c.input("columns", FLOAT, {6}, {0});
  reduceWithOutput(g, x, columns, {0}, Operation::MAX, css);
  for (ComputeSet cs : css) c.prog.add(Execute(cs));
  std::vector<Tensor> outs = {many, g.addVariable(FLOAT, {4, 6}), g.addVariable(FLOAT, {4, 3})};
  reduceMany(g,
             {SingleReduceOp(x, {2}, Operation::ADD), SingleReduceOp(x, {1}, Operation::ADD),
              SingleReduceOp(x.slice(0, 0, 2).broadcast(3, 1), {2}, Operation::MUL)},
             outs, c.prog);
  const Tensor logs = c.input("logs", HALF, {6}, numbers(6, -2, 2));
  const Tensor factor = c.input("factor", FLOAT, {}, {0.75});
  reduceWithOutput(g, x, logs, {0, 1}, ReduceParams(Operation::LOG_ADD, true, factor), c.prog);
  c.output("logs_after", logs);
  c.output("kept_after", kept);
  c.output("scalar_after", scalar);
  c.output("columns_after", columns);
  c.output("many_after", many);
  c.output("copied", outs[1]);
  c.output("empty", outs[2]);
  Sequence p;
  expectError("ranks", [&] {
    reduceWithOutput(g, x, g.addVariable(FLOAT, {1, 4}), {0}, Operation::ADD, p);
  });
  const ReduceParams update(Operation::MAX, true), scaled(Operation::MIN, false, scalar);
  expectError("update of", [&] { reduceWithOutput(g, x, kept, {0}, update, p); });
  expectError("scale of", [&] { reduceWithOutput(g, x, kept, {0}, scaled, p); });
  c.run();
}

// A row of 320 kB on each tile: there is no room for it twice. The result shares no memory with an
// input of which every element is a result.
static void largeRows() {
  Case c("large rows", 64);
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = g.addVariable(FLOAT, {4, 80000}, "x");
  for (unsigned tile = 0; tile < 4; ++tile) g.setTileMapping(x[tile], tile);
  c.fill(x, numbers(997, -1, 1));
  c.show("x", x);
  c.output("sums", reduce(g, x, {0}, Operation::ADD, c.prog));
  const Tensor row = c.input("row", FLOAT, {1, 6}, numbers(6, -1, 1));
  const Tensor copy = reduce(g, row, {0}, Operation::MAX, c.prog);
  zero(g, row, c.prog);
  c.output("copy", copy);
  // An output that is a row of the input.
  const Tensor y = c.input("y", FLOAT, {3, 5}, numbers(15, -1, 1));
  reduceWithOutput(g, y, y[1], {0}, Operation::ADD, c.prog);
  c.output("y_after", y);
  c.run();
}

static void rest() {
  Case c("rest");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor a = c.input("a", FLOAT, {4, 25}, numbers(100, -9, 9));
  const Tensor b = c.input("b", HALF, {4, 25}, numbers(100, -2, 2, false, 2));
  const Tensor i = c.input("i", INT, {10}, numbers(10, -9, 9, true));
  const Tensor s = c.input("s", FLOAT, {1}, {-0.5});
  const Tensor huge = c.input("huge", FLOAT, {4}, {1e20, -1e20, 3.9, -3.9});
  const Tensor t = c.input("t", BOOL, {33}, {1});
  const Tensor f = c.input("f", BOOL, {3}, {1, 1, 0});
  c.output("all_true", allTrue(g, t, c.prog));
  c.output("not_all_true", allTrue(g, f, c.prog));
  c.output("half", cast(g, a, HALF, c.prog));
  c.output("bool", cast(g, i, BOOL, c.prog));
  c.output("saturated", cast(g, huge, INT, c.prog));
  c.output("byte", cast(g, huge, UNSIGNED_CHAR, c.prog));
  const ComputeSet cs = g.addComputeSet("cast");
  c.output("set", cast(g, i, FLOAT, cs));
  c.prog.add(Execute(cs));
  scaledAddTo(g, a, b, 2.0f, c.prog);
  scaledSubtractFrom(g, b, b, s, c.prog);
  scaledAddTo(g, i, i, 3.0f, c.prog);
  c.output("a_after", a);
  c.output("b_after", b);
  c.output("i_after", i);
  const Tensor x = c.input("x", FLOAT, {50}, {1}), y = c.input("y", FLOAT, {50}, {2});
  scaledAddTo(g, x, s, y, s, c.prog, ScaledAddSpecialisation::X_MINUS_AX_PLUS_BY);
  c.output("x_after", x);
  const Tensor filled = c.input("filled", HALF, {5, 13}, {3}), z = c.input("z", INT, {9}, {3});
  fill(g, filled, c.prog, 1.5f);
  fill(g, filled.slice(0, 2, 1), c.prog, -1.0f);
  zero(g, z.slice(2, 5), c.prog);
  const ComputeSet zeros = g.addComputeSet("zero");
  zero(g, z.slice(6, 7), 0, zeros);
  c.prog.add(Execute(zeros));
  c.output("filled_after", filled);
  c.output("z_after", z);
  Sequence p;
  expectError("logical", [&] { reduce(g, a, {0}, Operation::LOGICAL_AND, p); });
  expectError("dims", [&] { reduce(g, a, {2}, Operation::ADD, p); });
  expectError("result", [&] { reduceWithOutput(g, a, i, {0}, Operation::ADD, p); });
  expectError("shape", [&] { reduceWithOutput(g, a, x, {0}, Operation::ADD, p); });
  expectError("update", [&] { reduce(g, a, {0}, ReduceParams(Operation::ADD, true), p); });
  expectError("scaled shape", [&] { scaledAddTo(g, x, a, 1.0f, p); });
  expectError("scaled type", [&] { scaledAddTo(g, z, y.slice(0, 9), 1.0f, p); });
  expectError("bools", [&] { allTrue(g, i, p); });
  c.run();
}

int main() {
  grid();
  withOutput();
  singletons();
  largeRows();
  rest();
}
