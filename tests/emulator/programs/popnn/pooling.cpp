#include <popnn/Pooling.hpp>
#include <popnn/codelets.hpp>
#include <popnn/experimental/ROIAlign.hpp>

#include "../harness.hpp"

using popnn::PoolingType;
using popnn::pooling::PoolParams;

static const char* const kNames[] = {"max", "avg", "sum"};

static void pool(const std::string& name, PoolingType type, const Type& element,
                 std::vector<std::size_t> field, std::vector<std::size_t> kernel,
                 std::vector<unsigned> stride, std::vector<int> lower, std::vector<int> upper,
                 std::size_t channels, std::size_t batch) {
  Case c(name + " " + kNames[static_cast<int>(type)] + " " + element.toString());
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const PoolParams params(type, field, kernel, stride, lower, upper, channels, batch, element);
  std::vector<std::size_t> shape = {batch, channels}, pooled_shape = shape;
  shape.insert(shape.end(), field.begin(), field.end());
  for (const std::size_t d : params.getOutputFieldShape()) pooled_shape.push_back(d);
  std::size_t n = 1, pooled_n = 1;
  for (const std::size_t d : shape) n *= d;
  for (const std::size_t d : pooled_shape) pooled_n *= d;
  // Whole numbers, so that a window has equal maxima.
  const Tensor x = c.input("x", element, shape, numbers(n, -4, 4, true));
  const Tensor gradient =
      c.input("gradient", element, pooled_shape, numbers(pooled_n, -8, 8, true, 2));
  const Tensor y = popnn::pooling::pool(g, params, x, c.prog);
  c.output("y", y);
  c.output("dx", popnn::pooling::poolInputGradient(g, params, x, y, gradient, false, c.prog));
  if (type == PoolingType::MAX) {
    c.output("scaled", popnn::pooling::poolInputGradient(g, params, x, y, gradient, true, c.prog));
  } else {
    c.output("dx alone", popnn::pooling::poolInputGradient(g, params, 1, gradient, c.prog));
  }
  const double flops = static_cast<double>(popnn::pooling::getFwdFlops(params));
  c.output("flops", c.input("", FLOAT, {}, {flops}));
  c.run();
}

static void roiAlign(const std::string& name, const Type& type, bool aligned, float scale) {
  using namespace popnn::experimental;
  Case c("roi align " + name);
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const roiAlignParams params(2, 3, 4, aligned, scale);
  Tensor x = c.input("x", type, {2, 3, 7, 6}, numbers(252, -2, 2));
  Tensor rois =
      c.input("rois", type, {4, 4}, {1.5, 2, 9, 11, 0, 0, 5, 4.5, -3, 4, 2, 4.25, 8, 9, 20, 25});
  Tensor images = c.input("images", INT, {4}, {0, 1, 1, 0});
  Tensor gradient = c.input("gradient", type, {4, 3, 3, 4}, numbers(144, -1, 1, false, 2));
  c.output("y", roiAlignFwd(g, c.prog, x, rois, images, params));
  c.output("dx", roiAlignInputGradient(g, c.prog, x, rois, images, gradient, params));
  Sequence unused;
  Tensor rank = rois[0];
  expectError("rois", [&] { roiAlignFwd(g, unused, x, rank, images, params); });
  c.run();
}

static void refusals() {
  Case c("refusals");
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const PoolParams good(PoolingType::MAX, {4, 4}, {2, 2}, {2, 2}, {0, 0}, {0, 0}, 3, 2, FLOAT);
  const PoolParams dims(PoolingType::MAX, {4, 4}, {2}, {2, 2}, {0, 0}, {0, 0}, 3, 2, FLOAT);
  const PoolParams kernel(PoolingType::MAX, {4, 4}, {5, 2}, {2, 2}, {0, 0}, {0, 0}, 3, 2, FLOAT);
  const Tensor x = c.input("x", FLOAT, {2, 4, 4, 4}, {0});
  Sequence unused;
  expectError("dims", [&] { dims.getOutputFieldShape(); });
  expectError("kernel", [&] { kernel.getOutputFieldShape(); });
  expectError("shape", [&] { popnn::pooling::pool(g, good, x, unused); });
  expectError("maximum", [&] { popnn::pooling::poolInputGradient(g, good, 1, x, unused); });
}

int main() {
  for (const PoolingType type : {PoolingType::MAX, PoolingType::AVG, PoolingType::SUM}) {
    for (const Type element : {FLOAT, HALF}) {
      pool("plain", type, element, {6, 8}, {2, 2}, {2, 2}, {0, 0}, {0, 0}, 3, 2);
      pool("overlap", type, element, {7, 5}, {3, 2}, {2, 1}, {1, 0}, {1, 1}, 5, 1);
    }
    pool("truncated", type, FLOAT, {9, 7}, {3, 3}, {1, 2}, {-2, 1}, {1, -1}, 2, 2);
    pool("line", type, FLOAT, {11}, {3}, {3}, {0}, {1}, 1, 2);
    pool("volume", type, FLOAT, {4, 5, 3}, {2, 3, 2}, {1, 2, 1}, {0, 1, 0}, {1, 0, 0}, 2, 1);
    pool("whole", type, FLOAT, {4, 4}, {4, 4}, {1, 1}, {0, 0}, {0, 0}, 7, 1);
    pool("padding alone", type, FLOAT, {2}, {2}, {1}, {3}, {0}, 2, 1);
  }
  roiAlign("float", FLOAT, false, 0.5f);
  roiAlign("half", HALF, false, 0.5f);
  roiAlign("aligned", FLOAT, true, 0.75f);
  refusals();
}
