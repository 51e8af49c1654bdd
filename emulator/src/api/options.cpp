#include "api/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <poplar/exceptions.hpp>
#include <regex>
#include <thread>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void unknownOption(const char* operation, StringRef option) {
  throw invalid_option(text(operation, ": expected an option that it has, got '", option, "'"));
}

[[noreturn]] void optionValue(const char* operation, StringRef option, const char* expected,
                              StringRef got) {
  throw invalid_option(
      text(operation, ": expected ", expected, " for '", option, "', got '", got, "'"));
}

[[noreturn]] void missingOption(StringRef option) {
  throw invalid_option(text("OptionFlags::at: expected an option that is set, got '", option, "'"));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

StringRef OptionFlags::at(StringRef option) const {
  const auto it = options_.find(option.str());
  if (it == options_.end()) emulator::errors::missingOption(option);
  return it->second;
}

std::ostream& operator<<(std::ostream& out, const OptionFlags& options) {
  const auto quoted = [&](const std::string& text) {
    out << '"';
    for (char c : text) {
      if (c == '"' || c == '\\') out << '\\';
      out << c;
    }
    out << '"';
  };
  out << '{';
  const char* separator = "";
  for (const auto& o : options) {
    out << separator;
    quoted(o.first);
    out << ':';
    quoted(o.second);
    separator = ",";
  }
  return out << '}';
}

namespace emulator {

namespace {

enum class Kind { ANY, BOOL, NUMBER, TIME };

// A name that ends with a dot stands for all that begin with it.
struct Option {
  const char* name;
  Kind kind;
};

// The options of an Engine of the SDK. Those that shape compilation for real tiles, the host's
// threads, tracing or report files change nothing here.
constexpr Option kEngineOptions[] = {
    {"autoReport.all", Kind::BOOL},
    {"autoReport.directory", Kind::ANY},
    {"autoReport.executionProfileProgramRunCount", Kind::NUMBER},
    {"autoReport.outputArchive", Kind::BOOL},
    {"autoReport.outputDebugInfo", Kind::BOOL},
    {"autoReport.outputExecutionProfile", Kind::BOOL},
    {"autoReport.outputGraphProfile", Kind::BOOL},
    {"autoReport.outputLoweredVars", Kind::BOOL},
    {"autoReport.outputSerializedGraph", Kind::BOOL},
    {"autoReport.streamAtEachRun", Kind::BOOL},
    {"debug.allowOutOfMemory", Kind::BOOL},
    {"debug.branchRecordFlush", Kind::BOOL},
    {"debug.branchRecordTile", Kind::ANY},
    {"debug.cbor", Kind::BOOL},
    {"debug.computeInstrumentationLevel", Kind::ANY},
    {"debug.cpuMultiThreadExecution", Kind::BOOL},
    {"debug.enableProgramRunCounter", Kind::BOOL},
    {"debug.executionProfile", Kind::ANY},
    {"debug.floatPointOpException", Kind::BOOL},
    {"debug.instrument", Kind::BOOL},
    {"debug.instrumentCompute", Kind::BOOL},
    {"debug.instrumentControlFlow", Kind::BOOL},
    {"debug.instrumentExternalExchange", Kind::BOOL},
    {"debug.json", Kind::BOOL},
    {"debug.loweredVarDumpFile", Kind::ANY},
    {"debug.nanOverflowException", Kind::BOOL},
    {"debug.nanOverflowMode", Kind::BOOL},
    {"debug.outputAllSymbols", Kind::BOOL},
    {"debug.profilingTile", Kind::ANY},
    {"debug.retainDebugInformation", Kind::BOOL},
    {"debug.runtimeVerify", Kind::BOOL},
    {"debug.supervisorStackSizeInBytes", Kind::NUMBER},
    {"debug.trace", Kind::BOOL},
    {"debug.trace.out", Kind::ANY},
    {"debug.traceFile", Kind::ANY},
    {"debug.verify", Kind::BOOL},
    {"debug.workerStackSizeInBytes", Kind::NUMBER},
    {"exchange.", Kind::ANY},
    {"exchange.enablePrefetch", Kind::BOOL},
    {"memory.", Kind::ANY},
    {"opt.", Kind::ANY},
    {"opt.enableInlining", Kind::BOOL},
    {"opt.enableMultiAccessCopies", Kind::BOOL},
    {"opt.maxCompilationThreads", Kind::NUMBER},
    {"opt.maxComputeSetsPerLoweredCopy", Kind::NUMBER},
    {"opt.maxCopyMergeSize", Kind::NUMBER},
    {"opt.maxLinkerThreads", Kind::NUMBER},
    {"prng.enable", Kind::BOOL},
    {"prng.enableStochasticRounding", Kind::BOOL},
    {"prng.seed", Kind::NUMBER},
    {"profiler.", Kind::ANY},
    {"profiler.blocks.bufferSize", Kind::NUMBER},
    {"profiler.blocks.implicitFlush", Kind::BOOL},
    {"profiler.blocks.tile", Kind::NUMBER},
    {"profiler.includeCycleEstimates", Kind::BOOL},
    {"profiler.perExecutionStreamCopyCycles", Kind::BOOL},
    {"streamCallbacks.", Kind::ANY},
    {"target.deterministicWorkers", Kind::ANY},
    {"target.extendedMemory", Kind::BOOL},
    {"target.firstRuntimeReplica", Kind::NUMBER},
    {"target.gatewayMode", Kind::BOOL},
    {"target.gatewayWriteCombining", Kind::BOOL},
    {"target.hostSyncTimeout", Kind::TIME},
    {"target.maxStreamCallbackThreadsPerNumaNode", Kind::ANY},
    {"target.numberRuntimeReplica", Kind::NUMBER},
    {"target.saveArchive", Kind::ANY},
    {"target.supervisorStackSizeInBytes", Kind::NUMBER},
    {"target.syncMethod", Kind::ANY},
    {"target.syncPollPeriodUs", Kind::NUMBER},
    {"target.syncReplicasIndependently", Kind::BOOL},
    {"target.workerStackSizeInBytes", Kind::NUMBER},
    // The emulator's own.
    {"emulator.strict", Kind::BOOL},
    {"emulator.threads", Kind::NUMBER},
};

// Options that choose and configure devices.
constexpr Option kDeviceOptions[] = {
    {"gatewayMode", Kind::BOOL},         {"instanceSize", Kind::NUMBER},
    {"ipuLinkConfiguration", Kind::ANY}, {"ipuLinkDomainSize", Kind::NUMBER},
    {"ipuLinkTopology", Kind::ANY},      {"syncConfiguration", Kind::ANY},
};

// Of these the emulator knows the steps alone.
constexpr Option kSummaryOptions[] = {
    {"colours", Kind::BOOL},           {"showExecutionSteps", Kind::BOOL},
    {"showOptimizations", Kind::BOOL}, {"showPerIpuMemoryUsage", Kind::BOOL},
    {"showVarStorage", Kind::BOOL},
};

constexpr Option kStreamOptions[] = {
    {"bufferingDepth", Kind::NUMBER},
    {"splitLimit", Kind::NUMBER},
};

bool isNumber(const std::string& s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A number of seconds, or of the unit that follows it.
bool isTime(const std::string& s) {
  const size_t digits = std::min(s.find_first_not_of("0123456789"), s.size());
  const std::string unit = s.substr(digits);
  return digits != 0 && (unit.empty() || unit == "ns" || unit == "us" || unit == "ms" ||
                         unit == "s" || unit == "m" || unit == "h");
}

// The entry of the name, else of all that begin as it does.
template <size_t N>
const Option* find(const Option (&known)[N], const std::string& name) {
  const Option* option = nullptr;
  for (const Option& k : known) {
    const size_t length = std::strlen(k.name);
    if (k.name[length - 1] != '.') {
      if (name == k.name) return &k;
    } else if (name.size() > length && name.compare(0, length, k.name) == 0) {
      option = &k;
    }
  }
  return option;
}

template <size_t N>
void check(const char* operation, const Option (&known)[N], const OptionFlags& options) {
  for (const auto& o : options) {
    const Option* option = find(known, o.first);
    if (option == nullptr) errors::unknownOption(operation, o.first);
    const char* expected = nullptr;
    if (option->kind == Kind::BOOL && o.second != "true" && o.second != "false") {
      expected = "'true' or 'false'";
    } else if (option->kind == Kind::NUMBER && !isNumber(o.second)) {
      expected = "a whole number";
    } else if (option->kind == Kind::TIME && !isTime(o.second)) {
      expected = "a time such as '60' or '500ms'";
    }
    if (expected != nullptr) errors::optionValue(operation, o.first, expected, o.second);
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

unsigned threads(const OptionFlags& options) {
  if (options.has("emulator.threads")) {
    return threadCount("emulator.threads", options.at("emulator.threads"));
  }
  const char* variable = std::getenv("POPSNN_THREADS");
  if (variable != nullptr && *variable != '\0') return threadCount("POPSNN_THREADS", variable);
  return std::max(1u, std::thread::hardware_concurrency());
}

bool is(const OptionFlags& options, const char* name, const char* value) {
  return options.has(name) && options.at(name) == StringRef(value);
}

// The value of an option that is a regular expression; empty without it.
std::string expression(const OptionFlags& options, const char* name) {
  if (!options.has(name)) return "";
  const std::string value = options.at(name).str();
  try {
    std::regex checked(value);
  } catch (const std::regex_error&) {
    errors::optionValue("Engine", name, "a regular expression", value);
  }
  return value;
}

// A number of at most nine digits, which `check` has found to be one.
size_t number(const OptionFlags& options, const char* name, size_t otherwise) {
  if (!options.has(name)) return otherwise;
  const std::string value = options.at(name).str();
  if (value.size() > 9) errors::optionValue("Engine", name, "a number below 10^9", value);
  return std::stoul(value);
}

TraceOptions traceOptions(const OptionFlags& options) {
  TraceOptions out;
  out.blocks = expression(options, "profiler.blocks.filter");
  out.programs = expression(options, "profiler.programs.filter");
  out.tile = static_cast<unsigned>(number(options, "profiler.blocks.tile", out.tile));
  out.buffer_bytes = number(options, "profiler.blocks.bufferSize", out.buffer_bytes);
  out.flushes = !is(options, "profiler.blocks.implicitFlush", "false");
  out.streams = is(options, "debug.instrumentExternalExchange", "true");
  return out;
}

bool strict(const OptionFlags& options) {
  if (options.has("emulator.strict")) return is(options, "emulator.strict", "true");
  const char* variable = std::getenv("POPSNN_STRICT");
  const std::string value = variable == nullptr ? "" : variable;
  if (!value.empty() && value != "0" && value != "1") {
    errors::optionValue("Engine", "POPSNN_STRICT", "'0' or '1'", value);
  }
  return value == "1";
}

}  // namespace

EngineOptions parseEngineOptions(const OptionFlags& flags) {
  OptionFlags options = flags;
  readJSONFromEnv("POPLAR_ENGINE_OPTIONS", options);
  readJSONFromEnv("POPLAR_RUNTIME_OPTIONS", options);
  check("Engine", kEngineOptions, options);
  EngineOptions out;
  out.threads = threads(options);
  // Streams that share buffers leave no room for what is fetched early.
  out.prefetch = is(options, "exchange.streamBufferOverlap", "none") &&
                 !is(options, "exchange.enablePrefetch", "false");
  const bool reports = is(options, "autoReport.all", "true") ||
                       is(options, "autoReport.outputExecutionProfile", "true");
  out.profiles = reports || is(options, "debug.instrument", "true");
  if (reports) {
    out.report_directory = options.has("autoReport.directory")
                               ? options.at("autoReport.directory").str()
                               : std::string(".");
  }
  out.retains_graph = !is(options, "debug.retainDebugInformation", "false");
  out.strict = strict(options);
  out.must_fit = !is(options, "debug.allowOutOfMemory", "true");
  out.trace = traceOptions(options);
  return out;
}

bool showsExecutionSteps(const OptionFlags& options) {
  check("Engine::printProfileSummary", kSummaryOptions, options);
  return is(options, "showExecutionSteps", "true");
}

void checkStreamOptions(const OptionFlags& options) {
  check("Graph::addHostToDeviceFIFO", kStreamOptions, options);
}

void checkDeviceOptions(const char* operation, const OptionFlags& options) {
  check(operation, kDeviceOptions, options);
}

}  // namespace emulator
}  // namespace poplar
