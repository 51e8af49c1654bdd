#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Fill.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using namespace popops;
namespace pe = popops::expr;

static void unary(Type type, const std::vector<double>& values, const std::vector<int>& ops) {
  Case c("unary " + type.toString());
  addCodelets(c.graph);
  const Tensor x = c.input("x", type, {3, 71}, values);
  for (int op : ops) {
    c.output(std::to_string(op), map(c.graph, static_cast<pe::UnaryOpType>(op), x, c.prog));
  }
  c.run();
}

static void binary(Type type, const std::vector<double>& a, const std::vector<double>& b,
                   const std::vector<int>& ops) {
  Case c("binary " + type.toString());
  addCodelets(c.graph);
  const Tensor x = c.input("x", type, {1000}, a), y = c.input("y", type, {1000}, b);
  for (int op : ops) {
    c.output(std::to_string(op), map(c.graph, static_cast<pe::BinaryOpType>(op), x, y, c.prog));
  }
  c.run();
}

static std::vector<int> upTo(int n) {
  std::vector<int> out;
  for (int i = 0; i < n; ++i) out.push_back(i);
  return out;
}

static void operations() {
  std::vector<int> floats;  // all but those of integers and bools
  for (int op : upTo(static_cast<int>(pe::UnaryOpType::TRUNC) + 1)) {
    const pe::UnaryOpType type = static_cast<pe::UnaryOpType>(op);
    if (type != pe::UnaryOpType::BITWISE_NOT && type != pe::UnaryOpType::POPCOUNT &&
        type != pe::UnaryOpType::COUNT_LEADING_ZEROS && type != pe::UnaryOpType::LOGICAL_NOT) {
      floats.push_back(op);
    }
  }
  unary(FLOAT, numbers(213, -3, 3), floats);
  unary(HALF, numbers(213, -3, 3), floats);
  std::vector<int> ints;
  for (pe::UnaryOpType op :
       {pe::UnaryOpType::ABSOLUTE, pe::UnaryOpType::BITWISE_NOT, pe::UnaryOpType::NEGATE,
        pe::UnaryOpType::SIGNUM, pe::UnaryOpType::SQUARE, pe::UnaryOpType::RELU}) {
    ints.push_back(static_cast<int>(op));
  }
  unary(SHORT, numbers(213, -300, 300, true), ints);
  ints.push_back(static_cast<int>(pe::UnaryOpType::POPCOUNT));
  unary(INT, numbers(213, -9, 9, true), ints);
  unary(BOOL, {1, 0, 0}, {static_cast<int>(pe::UnaryOpType::LOGICAL_NOT)});

  const std::vector<double> a = numbers(1000, -4, 4), b = numbers(1000, 0.1, 2, false, 7);
  std::vector<int> both, integral;
  for (int op : upTo(static_cast<int>(pe::BinaryOpType::VARIANCE_TO_INV_STD_DEV) + 1)) {
    switch (static_cast<pe::BinaryOpType>(op)) {
      case pe::BinaryOpType::LOGICAL_AND:
      case pe::BinaryOpType::LOGICAL_OR:
        break;
      case pe::BinaryOpType::BITWISE_AND:
      case pe::BinaryOpType::BITWISE_OR:
      case pe::BinaryOpType::BITWISE_XOR:
      case pe::BinaryOpType::BITWISE_XNOR:
      case pe::BinaryOpType::SHIFT_LEFT:
      case pe::BinaryOpType::SHIFT_RIGHT:
      case pe::BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
        integral.push_back(op);
        break;
      case pe::BinaryOpType::ATAN2:
      case pe::BinaryOpType::POWER:
      case pe::BinaryOpType::INV_STD_DEV_TO_VARIANCE:
      case pe::BinaryOpType::VARIANCE_TO_INV_STD_DEV:
        both.push_back(op);
        break;
      default:
        both.push_back(op);
        integral.push_back(op);
    }
  }
  binary(FLOAT, a, b, both);
  binary(HALF, a, b, both);
  binary(INT, numbers(1000, -50, 50, true), numbers(1000, 1, 8, true, 3), integral);
  binary(UNSIGNED_INT, numbers(1000, 0, 50, true), numbers(1000, 1, 8, true, 3), integral);
  binary(
      BOOL, {0, 0, 1, 1}, {0, 1, 0, 1},
      {static_cast<int>(pe::BinaryOpType::LOGICAL_AND),
       static_cast<int>(pe::BinaryOpType::LOGICAL_OR), static_cast<int>(pe::BinaryOpType::EQUAL)});
}

static void expressions() {
  Case c("expressions");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {5, 7}, numbers(35, -2, 2));
  const Tensor row = c.input("row", FLOAT, {7}, numbers(7, -2, 2, false, 2));
  const Tensor column = c.input("column", FLOAT, {5, 1}, numbers(5, -2, 2, false, 3));
  const Tensor h = c.input("h", HALF, {5, 7}, numbers(35, -2, 2, false, 4));
  const Tensor i = c.input("i", INT, {5, 7}, numbers(35, -9, 9, true, 5));
  const Tensor mask = c.input("mask", BOOL, {5, 7}, {1, 0, 1});
  using namespace popops::expr;
  c.output("affine", popops::map(g, _1 * 2.0f + _2, {x, row}, c.prog));
  c.output("outer", popops::map(g, _1 * _2, {column, row}, c.prog));
  c.output("select", popops::map(g, Select(_1, Const(0.0f), _2), {x, mask}, c.prog));
  c.output("clamp", popops::map(g, Clamp(_1, Const(-0.5f), Const(0.5f)), {h}, c.prog));
  c.output("cast", popops::map(g, Cast(_1, INT) + _2, {x, i}, c.prog));
  c.output("mixed", popops::map(g, Cast(_1, FLOAT) * _2 - Const(1), {h, x}, c.prog));
  c.output("compare", popops::map(g, And(_1 > 0.25f, Not(_2)), {x, mask}, c.prog));
  c.output("repeated", popops::map(g, _1 * _1 + _1, {x}, c.prog));
  c.output("transposed", popops::map(g, _1 - _2, {x.transpose(), column.flatten()}, c.prog));
  c.output("named", popops::add(g, x, row, c.prog));
  c.output("constant", popops::sub(g, 1.0f, h, c.prog));
  c.output("chosen", popops::select(g, x, row, mask, c.prog));
  const std::vector<Tensor> two =
      popops::map(g, std::vector<Any>{_1 + _2, _1 - _2}, {x, row}, c.prog);
  c.output("sum", two[0]);
  c.output("difference", two[1]);
  c.run();
}

static void inPlace() {
  Case c("in place");
  Graph& g = c.graph;
  addCodelets(g);
  using namespace popops::expr;
  const Tensor x = c.input("x", FLOAT, {600}, numbers(600, -2, 2));
  const Tensor out = c.input("out", FLOAT, {4, 6}, {0});
  const Tensor y = c.input("y", FLOAT, {4, 6}, numbers(24, -2, 2));
  const Tensor bytes = c.input("bytes", UNSIGNED_CHAR, {301}, numbers(301, 0, 100, true));
  const Tensor swap = c.input("swap", INT, {2, 9}, numbers(18, -9, 9, true));
  popops::mulInPlace(g, x, 3.0f, c.prog);
  popops::mapInPlace(g, _1 + _2, {x, x}, c.prog);
  // Reads what another tile writes.
  popops::addInPlace(g, x, x.reverse(0), c.prog);
  popops::mulWithOutput(g, y, y, out, c.prog);
  popops::addInPlace(g, y.transpose().slice(0, 3), 1.0f, c.prog);
  popops::addInPlace(g, bytes.slice(3, 200), static_cast<unsigned char>(5), c.prog);
  popops::mapInPlace(g, std::vector<Any>{_2, _1}, {swap[0], swap[1]}, c.prog);
  c.output("x_after", x);
  c.output("out_after", out);
  c.output("y_after", y);
  c.output("bytes_after", bytes);
  c.output("swap_after", swap);
  // From the second half of a word on, on one tile: its workers share no word.
  const Tensor odd = g.addVariable(HALF, {1001}, "odd");
  g.setTileMapping(odd, 0);
  c.fill(odd, {2});
  popops::mulInPlace(g, odd.slice(1, 900), 1.5f, c.prog);
  popops::fill(g, odd.slice(901, 1000), c.prog, 5.0f);
  c.output("odd_after", odd);
  c.run();
}

// Outputs whose shape the result has but for dimensions of 1 before the others.
static void leadingOnes() {
  Case c("leading ones");
  Graph& g = c.graph;
  addCodelets(g);
  using namespace popops::expr;
  const Tensor scalar = c.input("scalar", FLOAT, {}, {2}), one = c.input("one", FLOAT, {1}, {3});
  const Tensor row = c.input("row", FLOAT, {5}, numbers(5, -2, 2));
  const Tensor rows = c.input("rows", FLOAT, {1, 1, 5}, numbers(5, -2, 2, false, 2));
  const Tensor out = c.input("out", FLOAT, {1, 5}, {0}), cell = c.input("cell", FLOAT, {}, {0});
  const Tensor x = c.input("x", FLOAT, {1}, {1}), y = c.input("y", FLOAT, {}, {1});
  popops::addInPlace(g, scalar, one, c.prog);
  popops::mulInPlace(g, row, rows, c.prog);
  popops::mapWithOutput(g, _1 + _2, {rows, one}, out, c.prog);
  popops::mapInPlace(g, std::vector<Any>{_1 + _2, _2 * 3.0f}, {x, y}, c.prog);
  popops::mapWithOutput(g, std::vector<Any>{_1 + 1.0f}, {one}, {cell}, c.prog);
  c.output("scalar_after", scalar);
  c.output("row_after", row);
  c.output("out_after", out);
  c.output("x_after", x);
  c.output("y_after", y);
  c.output("cell_after", cell);
  Sequence p;
  expectError("grows", [&] { popops::addInPlace(g, one, rows, p); });
  expectError("inner ones", [&] { popops::addInPlace(g, row.expand({1}), rows, p); });
  expectError("cast", [&] { popops::cast(g, row, g.addVariable(INT, {1, 5}), "cast"); });
  expectError("cast set",
              [&] { popops::cast(g, row, g.addVariable(INT, {1, 5}), g.addComputeSet("cast")); });
  const Tensor copied = c.input("copied", FLOAT, {5, 1}, {0});
  c.prog.add(popops::cast(g, row, copied, "cast"));
  c.output("copied_after", copied);
  c.run();
}

static void errors() {
  Case c("errors");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor f = c.input("f", FLOAT, {4}, {1}), h = c.input("h", HALF, {4}, {1});
  const Tensor i = c.input("i", INT, {4}, {1}), three = c.input("three", FLOAT, {3}, {1});
  Sequence p;
  using namespace popops::expr;
  expectError("mixed", [&] { popops::add(g, f, h, p); });
  expectError("constant", [&] { popops::add(g, f, 1, p); });
  expectError("undefined", [&] { popops::sqrt(g, i, p); });
  expectError("shapes", [&] { popops::add(g, f, three, p); });
  expectError("placeholder", [&] { popops::map(g, _1 + _3, {f, f}, p); });
  expectError("condition", [&] { popops::select(g, f, f, i, p); });
  expectError("aliases", [&] { popops::addInPlace(g, f.slice(0, 1).broadcast(4, 0), 1.0f, p); });
  expectError("type", [&] { popops::mapInPlace(g, _1 > 0.0f, {f}, p); });
  expectError("output", [&] { popops::addWithOutput(g, f, f, three, p); });
  expectError("integral", [&] { popops::map(g, _1 + 0.5f, {i}, p); });
}

int main() {
  operations();
  expressions();
  inPlace();
  leadingOnes();
  errors();
}
