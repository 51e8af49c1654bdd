#include "options.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

#include "errors.hpp"

namespace poplar {

StringRef OptionFlags::at(StringRef option) const {
  const auto it = options_.find(option.str());
  if (it == options_.end()) emulator::errors::missingOption(option);
  return it->second;
}

std::ostream& operator<<(std::ostream& out, const OptionFlags& options) {
  const char* separator = "{";
  for (const auto& o : options) {
    out << separator << o.first << ": " << o.second;
    separator = ", ";
  }
  return out << (options.size() == 0 ? "{}" : "}");
}

namespace emulator {

namespace {

enum class Kind { ANY, BOOL, NUMBER };

struct Option {
  const char* name;
  Kind kind;
};

// What an Engine of the SDK takes. Those that shape compilation for real tiles, tracing or reports
// change nothing here.
constexpr Option kEngineOptions[] = {
    {"autoReport.all", Kind::BOOL},
    {"autoReport.directory", Kind::ANY},
    {"autoReport.executionProfileProgramRunCount", Kind::NUMBER},
    {"autoReport.outputDebugInfo", Kind::BOOL},
    {"autoReport.outputExecutionProfile", Kind::BOOL},
    {"autoReport.outputGraphProfile", Kind::BOOL},
    {"autoReport.outputLoweredVars", Kind::BOOL},
    {"autoReport.outputSerializedGraph", Kind::BOOL},
    {"debug.allowOutOfMemory", Kind::BOOL},
    {"debug.cbor", Kind::BOOL},
    {"debug.computeInstrumentationLevel", Kind::ANY},
    {"debug.executionProfile", Kind::ANY},
    {"debug.floatPointOpException", Kind::BOOL},
    {"debug.instrument", Kind::BOOL},
    {"debug.instrumentCompute", Kind::BOOL},
    {"debug.instrumentControlFlow", Kind::BOOL},
    {"debug.instrumentExternalExchange", Kind::BOOL},
    {"debug.json", Kind::BOOL},
    {"debug.loweredVarDumpFile", Kind::ANY},
    {"debug.nanOverflowMode", Kind::BOOL},
    {"debug.outputAllSymbols", Kind::BOOL},
    {"debug.retainDebugInformation", Kind::BOOL},
    {"debug.runtimeVerify", Kind::BOOL},
    {"debug.trace", Kind::BOOL},
    {"exchange.enablePrefetch", Kind::BOOL},
    {"exchange.multicastPolicy", Kind::ANY},
    {"exchange.streamBufferOverlap", Kind::ANY},
    {"opt.enableInlining", Kind::BOOL},
    {"opt.maxCompilationThreads", Kind::NUMBER},
    {"prng.enableStochasticRounding", Kind::BOOL},
    {"prng.seed", Kind::NUMBER},
    {"profiler.blocks.filter", Kind::ANY},
    {"profiler.format", Kind::ANY},
    {"profiler.includeCycleEstimates", Kind::BOOL},
    {"target.deterministicWorkers", Kind::ANY},
    {"target.hostSyncTimeout", Kind::NUMBER},
    {"target.saveArchive", Kind::ANY},
    {"target.syncMethod", Kind::ANY},
    {"target.syncReplicasIndependently", Kind::BOOL},
    // The emulator's own.
    {"emulator.threads", Kind::NUMBER},
};

constexpr Option kStreamOptions[] = {
    {"bufferingDepth", Kind::NUMBER},
    {"splitLimit", Kind::NUMBER},
};

bool isNumber(const std::string& s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

template <size_t N>
void check(const char* operation, const Option (&known)[N], const OptionFlags& options) {
  for (const auto& o : options) {
    const Option* found = std::find_if(std::begin(known), std::end(known),
                                       [&](const Option& k) { return o.first == k.name; });
    if (found == std::end(known)) errors::unknownOption(operation, o.first);
    if (found->kind == Kind::BOOL && o.second != "true" && o.second != "false") {
      errors::optionValue(operation, o.first, "'true' or 'false'", o.second);
    }
    if (found->kind == Kind::NUMBER && !isNumber(o.second)) {
      errors::optionValue(operation, o.first, "a whole number", o.second);
    }
  }
}

unsigned threadCount(const char* source, const std::string& value) {
  constexpr unsigned kMax = 1024;
  if (!isNumber(value) || value.size() > 4) {
    errors::optionValue("Engine", source, "a number of threads", value);
  }
  const unsigned n = static_cast<unsigned>(std::stoul(value));
  if (n == 0 || n > kMax) errors::optionValue("Engine", source, "1 to 1024 threads", value);
  return n;
}

}  // namespace

EngineOptions parseEngineOptions(const OptionFlags& options) {
  check("Engine", kEngineOptions, options);
  if (options.has("emulator.threads")) {
    return {threadCount("emulator.threads", options.at("emulator.threads"))};
  }
  const char* variable = std::getenv("POPSNN_THREADS");
  if (variable != nullptr && *variable != '\0') return {threadCount("POPSNN_THREADS", variable)};
  return {std::max(1u, std::thread::hardware_concurrency())};
}

void checkStreamOptions(const OptionFlags& options) {
  check("Graph::addHostToDeviceFIFO", kStreamOptions, options);
}

void checkNoOptions(const char* operation, const OptionFlags& options) {
  if (options.size() != 0) errors::unknownOption(operation, options.begin()->first);
}

}  // namespace emulator
}  // namespace poplar
