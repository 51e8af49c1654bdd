// Products to be planned ahead, and reports of plans.
#include <map>
#include <ostream>
#include <poplar/emulator/Sizes.hpp>
#include <poplin/ConvPreplan.hpp>
#include <poplin/FullyConnected.hpp>
#include <poplin/MatMul.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "block_plan.hpp"
#include "conv/planning_cache.hpp"
#include "cycles.hpp"
#include "mat_mul_check.hpp"

namespace poplin {

using namespace poplar;
using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;

namespace {

const char* const kPasses[][2] = {{"NONE", "NONE_MATMUL"},
                                  {"INFERENCE_FWD", "FC_INFERENCE_FWD"},
                                  {"TRAINING_FWD", "FC_TRAINING_FWD"},
                                  {"TRAINING_BWD", "FC_TRAINING_BWD"},
                                  {"TRAINING_WU", "FC_TRAINING_WU"}};

// The product as a convolution with a field of one element.
ConvParams asConvolution(const MatMulParams& p) {
  checkProduct(p, "matMulGetConvPlanParams");
  const bool grouped = p.aShape.size() == 3;
  const std::size_t at = grouped ? 1 : 0;
  return ConvParams(p.inputType, p.outputType, p.aShape[at], {1}, {1}, p.aShape[at + 1],
                    p.bShape[at + 1], grouped ? p.aShape[0] : 1);
}

OptionFlags convolutionOptions(const OptionFlags& options) {
  matmulValidateOptions(options);
  OptionFlags out;
  for (const auto& option : options) {
    if (option.first == "gatherOutput") {
      out.set("gatherConvOutput", option.second);
    } else if (option.first == "fullyConnectedPass") {
      for (const auto& pass : kPasses) {
        if (option.second == pass[0]) out.set("pass", pass[1]);
      }
    } else if (option.first != "inputRHSIsPreArranged") {
      out.set(option.first, option.second);
    }
  }
  if (!out.has("pass")) out.set("pass", kPasses[0][1]);
  return out;
}

void report(std::ostream& out, const Graph& graph, const MatMulParams& product,
            const OptionFlags& options, PlanningCache* cache, const char* operation) {
  checkProduct(product, operation);
  planProduct(product, options, cache);
  const std::size_t at = product.aShape.size() - 2;
  const BlockPlan plan(graph.getTarget(), product.aShape[at], product.aShape[at + 1],
                       product.bShape[at + 1]);
  const std::uint64_t products = plan.rowsOf(plan.row_blocks - 1).size() *
                                 plan.depthOf(plan.depth_blocks - 1).size() *
                                 plan.columnsOf(plan.column_blocks - 1).size();
  const std::uint64_t rate = productsPerCycle(product.inputType);
  out << "  Estimated cost {cycles " << kStartCycles + (products + rate - 1) / rate
      << "}\n  Plan:\n        blocks of rows             " << plan.row_blocks
      << "\n        blocks of the depth        " << plan.depth_blocks
      << "\n        blocks of columns          " << plan.column_blocks << "\n";
}

}  // namespace

void checkShape(const Shape& a, const Shape& b, const char* operation) {
  if (a.size() != 2 || b.size() != 2 || a[1] != b[0]) {
    throw poplibs_error(std::string(operation) + ": expected shapes [M,K] and [K,N]");
  }
  emulator::checkedElements(operation, a);
  emulator::checkedElements(operation, b);
}

Shape ofGroup(const Shape& shape, const char* operation) {
  if (shape.size() != 3) {
    throw poplibs_error(std::string(operation) + ": expected shapes [G,M,K] and [G,K,N]");
  }
  return Shape(shape.begin() + 1, shape.end());
}

void checkProduct(const MatMulParams& product, const char* operation) {
  if (product.aShape.size() == 2) {
    checkShape(product.aShape, product.bShape, operation);
    return;
  }
  checkShape(ofGroup(product.aShape, operation), ofGroup(product.bShape, operation), operation);
  if (product.aShape[0] != product.bShape[0]) {
    throw poplibs_error(std::string(operation) + ": expected equal numbers of groups, got " +
                        std::to_string(product.aShape[0]) + " and " +
                        std::to_string(product.bShape[0]));
  }
}

void planProduct(const MatMulParams& product, const OptionFlags& options, PlanningCache* cache) {
  matmulValidateOptions(options);
  enter(cache, product, options);
}

bool operator<(const MatMulParams& a, const MatMulParams& b) {
  return std::tie(a.inputType, a.outputType, a.aShape, a.bShape) <
         std::tie(b.inputType, b.outputType, b.aShape, b.bShape);
}

void matmulValidateOptions(const OptionFlags& options) {
  using poplibs::OptionHandler;
  // They guide a planner of the SDK, and change nothing here.
  std::map<std::string, int> passes;
  for (const auto& pass : kPasses) passes[pass[0]] = 0;
  double memory = 0;
  int choice = 0;
  bool flag = false;
  std::string text;
  const poplibs::OptionSpec spec{
      {"partialsType", OptionHandler::createWithEnum(
                           choice, std::map<std::string, int>{{"half", 0}, {"float", 1}})},
      {"fullyConnectedPass", OptionHandler::createWithEnum(choice, passes)},
      {"inputRHSIsPreArranged", OptionHandler::createWithBool(flag)},
      {"use128BitConvUnitLoad", OptionHandler::createWithBool(flag)},
      {"enableMultiStageReduce", OptionHandler::createWithBool(flag)},
      {"enableFastReduce", OptionHandler::createWithBool(flag)},
      {"remapOutputTensor", OptionHandler::createWithBool(flag)},
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory, 0.)},
      {"planConstraints", OptionHandler::createWithString(text)},
      {"gatherOutput", OptionHandler::createWithBool(flag)},
      {"disableSRForAMPVertices", OptionHandler::createWithBool(flag)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
}

std::set<ConvPlanParams> matMulGetConvPlanParams(const std::set<MatMulPlanParams>& matmuls,
                                                 MatMulToConvOptions& matmulToConvOpts) {
  std::set<ConvPlanParams> out;
  for (const MatMulPlanParams& product : matmuls) {
    const OptionFlags* const options = std::get<2>(product);
    const auto at = matmulToConvOpts.emplace(options, OptionFlags()).first;
    at->second = convolutionOptions(*options);
    out.emplace(std::get<0>(product), asConvolution(std::get<1>(product)), &at->second);
  }
  return out;
}

void preplanMatMuls(const std::set<MatMulPlanParams>& matmuls, matmul::PlanningCache& cache) {
  preplan({}, matmuls, cache);
}

void matMulReportPlan(std::ostream& out, const Graph& graph, const Type& inputType,
                      const Type& outputType, const Shape& aShape, const Shape& bShape,
                      const OptionFlags& options, PlanningCache* cache) {
  checkShape(aShape, bShape, "matMulReportPlan");
  report(out, graph, {inputType, outputType, aShape, bShape}, options, cache, "matMulReportPlan");
}

void matMulGroupedReportPlan(std::ostream& out, const Graph& graph, const Type& inputType,
                             const Type& outputType, const Shape& aShape, const Shape& bShape,
                             const OptionFlags& options, PlanningCache* cache) {
  ofGroup(aShape, "matMulGroupedReportPlan");
  report(out, graph, {inputType, outputType, aShape, bShape}, options, cache,
         "matMulGroupedReportPlan");
}

namespace fc {

std::vector<std::pair<MatMulParams, OptionFlags>> getMatMulPrePlanParameters(
    FullyConnectedParams p, OptionFlags matmulOptions, Type type, bool inferenceOnly) {
  std::vector<std::pair<MatMulParams, OptionFlags>> out;
  const auto add = [&](const char* pass, std::size_t rows, std::size_t depth, std::size_t columns) {
    OptionFlags options = matmulOptions;
    options.set("fullyConnectedPass", pass);
    out.push_back(
        {MatMulParams{type, type, {p.numGroups, rows, depth}, {p.numGroups, depth, columns}},
         options});
  };
  add(inferenceOnly ? "INFERENCE_FWD" : "TRAINING_FWD", p.batchSize, p.inputSize, p.outputSize);
  if (!inferenceOnly) {
    add("TRAINING_BWD", p.batchSize, p.outputSize, p.inputSize);
    add("TRAINING_WU", p.inputSize, p.batchSize, p.outputSize);
  }
  return out;
}

}  // namespace fc

}  // namespace poplin
