#include "plan.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <popnn/CTCInference.hpp>
#include <popnn/CTCLoss.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <tuple>

namespace popnn {
namespace ctc {

using namespace poplar;
using namespace poplar::program;
using poplibs::OptionHandler;
using poplibs::OptionSpec;
using poputil::poplibs_error;

namespace {

const std::map<std::string, Type>& floatingTypes() {
  static const std::map<std::string, Type> types = {{"half", HALF}, {"float", FLOAT}};
  return types;
}

// Constraints are JSON of {"parallel": {...}, "serial": {...}} with numbers: none may be 0.
void checkConstraints(const std::string& text) {
  static const char* const kNames[] = {"parallel", "serial",         "batch",
                                       "time",     "label",          "sliceIntoOutput",
                                       "alphabet", "sliceFromInput", "lastBlankOnSeparateTile"};
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find('"', at + 1), text.size());
    const std::string name = text.substr(at + 1, end - at - 1);
    if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) {
      throw poplibs_error("Unrecognised constraint " + name);
    }
    at = std::min(end + 1, text.size());
    while (at < text.size() && (std::isspace(text[at]) != 0 || text[at] == ':')) ++at;
    const bool flag = name.compare(0, 5, "slice") == 0 || name.compare(0, 4, "last") == 0;
    if (!flag && text.compare(at, 1, "0") == 0) throw poplibs_error("No ctc loss plan found");
  }
}

Tensor createInput(Graph& graph, const Type& type, const std::vector<std::size_t>& shape,
                   const DebugContext& dc) {
  const Tensor t = graph.addVariable(type, shape, dc);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

}  // namespace

Plan::Plan() = default;
Plan::~Plan() = default;
Plan::Plan(const Plan& other) : impl(other.impl ? new Impl(*other.impl) : nullptr) {}
Plan::Plan(Plan&& other) = default;
Plan& Plan::operator=(const Plan& other) {
  impl.reset(other.impl ? new Impl(*other.impl) : nullptr);
  return *this;
}
Plan& Plan::operator=(Plan&& other) = default;
Plan::Plan(std::unique_ptr<Impl> impl_) : impl(std::move(impl_)) {}

bool operator<(const Plan& a, const Plan& b) {
  if (!a.impl || !b.impl) return !a.impl && b.impl;
  return std::tie(a.impl->loss, a.impl->sizes) < std::tie(b.impl->loss, b.impl->sizes);
}
bool operator==(const Plan& a, const Plan& b) { return !(a < b) && !(b < a); }
bool operator!=(const Plan& a, const Plan& b) { return !(a == b); }

std::ostream& operator<<(std::ostream& o, const Plan& p) {
  if (!p.impl) return o << "{}";
  o << (p.impl->loss ? "CTCLoss plan {" : "CTCInference plan {");
  for (const unsigned size : p.impl->sizes) o << ' ' << size;
  return o << " }";
}

void checkLossPlan(const Plan& plan) {
  if (plan == Plan() || !plan.getImpl().loss) {
    throw poplibs_error(
        "Invalid CTC Loss plan provided (must be created by planning for loss and not inference).");
  }
}

void checkInferencePlan(const Plan& plan) {
  if (plan == Plan() || plan.getImpl().loss) {
    throw poplibs_error(
        "Invalid CTC Inference plan provided (must be created by planning for inference and not "
        "loss).");
  }
}

Plan plan(const Graph&, const Type&, const Type&, unsigned batchSize, unsigned maxTime,
          unsigned maxLabelLength, unsigned numClasses, const OptionFlags& options) {
  Type partials = FLOAT;
  double memory = 0.6;
  bool reduced;
  std::string constraints;
  const OptionSpec spec{
      {"planConstraints", OptionHandler::createWithString(constraints)},
      {"partialsType", OptionHandler::createWithEnum(partials, floatingTypes())},
      {"enableReducedClassesInLabel", OptionHandler::createWithBool(reduced)},
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory, 0.)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  if (memory == 0) throw poplibs_error("No ctc loss plan found");
  checkConstraints(constraints);
  return Plan(std::unique_ptr<Plan::Impl>(
      new Plan::Impl{true, {batchSize, maxTime, maxLabelLength, numClasses}}));
}

Tensor createDataInput(Graph& graph, const Type& type, const std::size_t batchSize,
                       const std::size_t maxTime, const std::size_t numClasses, const Plan& plan,
                       const DebugContext& debugContext) {
  checkLossPlan(plan);
  return createInput(graph, type, {maxTime, batchSize, numClasses}, {debugContext, "data"});
}

Tensor createLabelsInput(Graph& graph, const Type& type, const std::size_t batchSize,
                         const std::size_t maxLabelLength, const Plan& plan,
                         const DebugContext& debugContext) {
  checkLossPlan(plan);
  return createInput(graph, type, {batchSize, maxLabelLength}, {debugContext, "labels"});
}

}  // namespace ctc

namespace ctc_infer {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;
using Paths = std::tuple<Tensor, Tensor, Tensor>;

ctc::Plan plan(const Graph&, const Type&, unsigned batchSize, unsigned maxTime, unsigned numClasses,
               unsigned beamwidth, const OptionFlags& options) {
  Type partials = FLOAT;
  double memory;
  std::vector<unsigned> groups;
  const poplibs::OptionSpec spec{
      {"partialsType", poplibs::OptionHandler::createWithEnum(partials, ctc::floatingTypes())},
      {"availableMemoryProportion", poplibs::OptionHandler::createWithDouble(memory, 0.)},
      {"sortStageGroups", poplibs::OptionHandler::createWithList(groups)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  return ctc::Plan(std::unique_ptr<ctc::Plan::Impl>(
      new ctc::Plan::Impl{false, {batchSize, maxTime, numClasses, beamwidth}}));
}

Tensor createDataInput(Graph& graph, const Type& type, const std::size_t batchSize,
                       const std::size_t maxTime, const std::size_t numClasses,
                       const ctc::Plan& plan, const DebugContext& debugContext) {
  ctc::checkInferencePlan(plan);
  return ctc::createInput(graph, type, {maxTime, batchSize, numClasses}, {debugContext, "data"});
}

Paths beamSearchDecoderLogProbabilities(Graph&, const Tensor&, const Tensor&, Sequence&, unsigned,
                                        unsigned, unsigned, const ctc::Plan& plan,
                                        const DebugContext&, const OptionFlags&) {
  ctc::checkInferencePlan(plan);
  throw poplibs_error("beamSearchDecoderLogProbabilities: the search of beams is not emulated");
}

Paths beamSearchDecoderLogits(Graph&, const Tensor&, const Tensor&, Sequence&, unsigned, unsigned,
                              unsigned, const ctc::Plan& plan, const DebugContext&,
                              const OptionFlags&) {
  ctc::checkInferencePlan(plan);
  throw poplibs_error("beamSearchDecoderLogits: the search of beams is not emulated");
}

}  // namespace ctc_infer
}  // namespace popnn
