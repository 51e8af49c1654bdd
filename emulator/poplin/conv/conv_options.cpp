#include "conv_options.hpp"

#include <map>
#include <poplin/Convolution.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <utility>

namespace poplin {

using poplar::Type;

ConvOptions::ConvOptions(const poplar::OptionFlags& options) {
  using poplibs::OptionHandler;
  const std::map<std::string, Type> types{{"half", poplar::HALF}, {"float", poplar::FLOAT}};
  const std::map<std::string, int> passes{{"NONE", 0},
                                          {"NONE_MATMUL", 1},
                                          {"INFERENCE_FWD", 2},
                                          {"TRAINING_FWD", 3},
                                          {"TRAINING_BWD", 4},
                                          {"TRAINING_WU", 5},
                                          {"FC_INFERENCE_FWD", 6},
                                          {"FC_TRAINING_FWD", 7},
                                          {"FC_TRAINING_BWD", 8},
                                          {"FC_TRAINING_WU", 9}};
  // Most options guide a planner of the SDK: they are checked, and change nothing here.
  Type inter = poplar::FLOAT;
  double memory = 0;
  int pass = 0;
  bool flag = false;
  std::string text;
  const poplibs::OptionSpec spec{
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory, 0.)},
      {"pass", OptionHandler::createWithEnum(pass, passes)},
      {"partialsType", OptionHandler::createWithEnum(partialsType, types)},
      {"partialsType.interTile", OptionHandler::createWithEnum(inter, types)},
      {"partialsType.interIPU", OptionHandler::createWithEnum(inter, types)},
      {"use128BitConvUnitLoad", OptionHandler::createWithBool(flag)},
      {"planConstraints", OptionHandler::createWithString(text)},
      {"planConstraintsOutputFilename", OptionHandler::createWithString(text)},
      {"enableMultiStageReduce", OptionHandler::createWithBool(flag)},
      {"enableFastReduce", OptionHandler::createWithBool(flag)},
      {"remapOutputTensor", OptionHandler::createWithBool(flag)},
      {"enableConvDithering", OptionHandler::createWithBool(flag)},
      {"disableTransformations", OptionHandler::createWithBool(flag)},
      {"insertTransformsCycleCountProgs",
       OptionHandler::createWithBool(insertTransformsCycleCountProgs)},
      {"experimental.convTransformsEstimates", OptionHandler::createWithBool(flag)},
      {"gatherConvOutput", OptionHandler::createWithBool(flag)},
      {"experimental.slicVmac16", OptionHandler::createWithBool(flag)},
      {"disableSRForAMPVertices", OptionHandler::createWithBool(flag)},
      {"enableTileLevelExpandDims", OptionHandler::createWithBool(flag)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
}

void convolutionValidateOptions(const poplar::OptionFlags& options) { ConvOptions{options}; }

void checkConvolution(const ConvParams& params, const poplar::OptionFlags& options,
                      const char* operation) {
  const ConvOptions checked(options);
  for (const auto& entry : {std::make_pair(params.inputType, "input element type"),
                            std::make_pair(params.outputType, "output element type"),
                            std::make_pair(checked.partialsType, "partial type")}) {
    if (entry.first == poplar::QUARTER) {
      throw poputil::poplibs_error(std::string(operation) + ": the type quarter is not emulated");
    }
    if (entry.first != poplar::HALF && entry.first != poplar::FLOAT) {
      throw poputil::poplibs_error(std::string("Unsupported ") + operation + " " + entry.second +
                                   " (must be float, half or quarter), got " +
                                   entry.first.toString());
    }
  }
  params.validate();
}

}  // namespace poplin
