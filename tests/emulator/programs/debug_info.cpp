// Records of debug information, as a file of each format.
#include <popfloat/experimental/CastToGfloat.hpp>
#include <popfloat/experimental/codelets.hpp>
#include <poputil/DebugInfo.hpp>

#include "harness.hpp"

static void record(const std::string& file, DebugSerializationFormat format) {
  DebugInfo before(DebugContext("before"), "none");  // has begun already
  DebugInfo::initializeStreamer(file, format);
  {
    const DebugContext context("outer", SourceLocation("function", "file", 42));
    poputil::PoplibsOpDebugInfo outer(context, {{"a", ProfileValue(-300)}}, "call");
    const poputil::PoplibsOpDebugInfo inner({outer, "inner"}, {}, "part");
    CHECK(inner.getId() != outer.getId() && inner.getId() != 0);
    CHECK(DebugContext(outer, "x").getNameAndId().getId() == outer.getId());
    DebugInfo copy(outer);
    CHECK(copy.getId() == outer.getId());
    outer.add("values",
              ProfileValue::Vector{ProfileValue(true), ProfileValue(), ProfileValue(0.1),
                                   ProfileValue(70000), ProfileValue(std::string(30, 'x'))});
  }
  DebugInfo::closeStreamer();
  DebugInfo after(DebugContext("after"), "none");
  std::cout << "{\"error\":\"" << (format == DebugSerializationFormat::JSON ? "json" : "cbor")
            << "\",\"text\":\"" << file << "\"}\n";
}

static void library(const std::string& file) {
  using namespace popfloat::experimental;
  const Device device = modelDevice(2);
  Graph g(device);
  popfloat::experimental::addCodelets(g);
  Sequence prog;
  DebugInfo::initializeStreamer(file, DebugSerializationFormat::JSON);
  GfloatCast::FormatConfig format(10, 5, 15, true, true);
  GfloatCast::createCastOpParamsTensor(g, prog, FLOAT, format.getPackedFloatParameters());
  DebugInfo::closeStreamer();
  std::cout << "{\"error\":\"library\",\"text\":\"" << file << "\"}\n";
}

int main(int, char** argv) {
  const std::string name(argv[0]);
  DebugInfo::closeStreamer();  // none is open
  record(name + ".json", DebugSerializationFormat::JSON);
  record(name + ".cbor", DebugSerializationFormat::CBOR);
  library(name + ".library");
  DebugInfo::initializeStreamer(name + ".twice");
  expectPoplarError("twice", [&] { DebugInfo::initializeStreamer(name + ".again"); });
}
