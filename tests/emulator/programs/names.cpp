// Names of Poplar's host API that libraries and tools count on.
#include <gccs/ArrayRef.hpp>
#include <limits>
#include <poplar/MetadataCreation.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/Version.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TensorMetaData.hpp>
#include <poputil/VertexTemplates.hpp>
#include <pvti/pvti.hpp>
#include <sstream>
#include <type_traits>

#include "harness.hpp"

// As the SDK's: sums of them with a `1UL` compile in poplibs.
static_assert(std::is_same<decltype(Target().getTypeSize(FLOAT)), std::size_t>::value, "");
static_assert(std::is_same<decltype(Target().getExchangeBytesPerCycle()), unsigned>::value, "");

static void types() {
  const TypeTraits real = TypeTraits::make<float>(), whole = TypeTraits::make<unsigned short>();
  CHECK(real.size == 4 && real.isFloat && real.isSigned && !real.isIntegral && real.isSimple);
  CHECK(whole.size == 2 && whole.align == 2 && whole.isIntegral && !whole.isSigned);
  CHECK(TypeTraits::make<long long>().isSigned);
  CHECK(TypeTraits::isSimpleType<bool>() && !TypeTraits::isSimpleType<std::string>());
  CHECK(std::string(versionString()) == "3.4.0" && packageHash() != nullptr);
  CHECK(poputil::templateVertexParams(true, "x", 3) == "<x,3>");
  CHECK(poputil::templateVertexParams(false) == ">");
}

static void targets() {
  const Target ipu2 = Target::createIPUTarget(1, "ipu2", {{"gatewayMode", "false"}});
  const Target ipu1 = Target::createIPUTarget(1, "ipu1");
  CHECK(ipu2.getNumConvUnits(HALF, HALF) == 16 && ipu2.getNumConvUnits(HALF, FLOAT) == 16);
  CHECK(ipu1.getNumConvUnits(HALF, FLOAT) == 8 && ipu2.getNumConvUnits(FLOAT, FLOAT) == 8);
  CHECK(ipu2.getNumConvUnits(FLOAT, HALF) == 0 && ipu2.getNumConvUnits(INT, INT) == 0);
  CHECK(ipu2.getWeightsPerConvUnit(HALF) == 16 && ipu2.getWeightsPerConvUnit(FLOAT) == 8);
  CHECK(ipu2.getConvUnitMaxPipelineDepth(FLOAT) == 4);
  CHECK(ipu2.getFloatVectorWidth() == 2 && ipu2.getHalfVectorWidth() == 4);
  CHECK(ipu2.getTypeLimitsMaxAs<std::uint64_t>(UNSIGNED_INT) == 4294967295u);
  CHECK(ipu2.getTypeLimitsMinAs<int>(SHORT) == -32768);
  CHECK(ipu2.getTargetOptions().at("gatewayMode") == "false" && !ipu2.getGatewayMode());
  expectPoplarError("limits", [&] { ipu2.getTypeLimitsMaxAs<float>(FLOAT); });
  IPUModel model;
  model.globalExchangeConstraints.push_back(
      GlobalExchangeConstraint(1e9, {GlobalExchangeFlow(0, 1)}));
  CHECK(model.createDevice().getTarget().getNumIPUs() == 1);
}

static void values() {
  Case c("values");
  Graph& g = c.graph;
  const std::uint16_t bits[] = {0x3c00, 0xc000, 0x0001};
  const Tensor halves = g.addConstantHalf(HALF, {3}, bits),
               one = g.addConstantHalf(HALF, {}, 0x3c00);
  const Tensor all = g.addConstantHalf(HALF, {2}, ArrayRef<std::uint16_t>(bits, 2));
  const double number = 2.5;
  const Tensor traits = g.addConstant(FLOAT, {4}, &number, TypeTraits::make<double>(), true);
  const Tensor variable = g.addVariable(HALF, {3});
  for (const Tensor& t : {halves, one, all, traits, variable}) g.setTileMapping(t, 1);
  g.setInitialValueHalf(variable, ArrayRef<std::uint16_t>(bits, 3));
  c.output("halves", halves);
  c.output("all", all);
  c.output("traits", traits);
  c.output("variable", variable);

  float value = 0;
  CHECK(one.getConstantValue(&value) && value == 1);
  CHECK(halves[1].getConstantValue(&value) && value == -2);
  CHECK(!halves.getConstantValue(&value) && !variable[0].getConstantValue(&value));
  const Tensor none;
  CHECK(g.clone(HALF, none, variable).shape() == variable.shape());
  expectPoplarError("not half", [&] { g.addConstantHalf(FLOAT, {}, 0x3c00); });
  expectPoplarError("metadata", [&] { g.clone(QUARTER, none, variable); });
  c.run();
}

static void fields() {
  const Device device = modelDevice(8);
  Graph g(device);
  std::stringstream text(
      "#include <poplar/Vertex.hpp>\n"
      "using namespace poplar;\n"
      "struct Fields : public Vertex {\n"
      "  Input<Vector<float, VectorLayout::SHORT_SPAN>> few;\n"
      "  Vector<Input<Vector<float>>> rows;\n"
      "  unsigned short size;\n"
      "  int number;\n"
      "  float real;\n"
      "  void compute() {}\n"
      "};\n");
  g.addCodelets(text);
  CHECK(g.getMaxFieldDim("Fields", "few", 0) == 2047);
  CHECK(g.getMaxFieldDim("Fields", "rows", 1) > 4294967295u);
  CHECK(g.getMaxVertexFieldValue("Fields", "size") == 65535);
  CHECK(g.getMaxVertexFieldValue("Fields", "number") == 2147483647);
  expectPoplarError("dimension", [&] { g.getMaxFieldDim("Fields", "few", 1); });
  expectPoplarError("real", [&] { g.getMaxVertexFieldValue("Fields", "real"); });
  expectPoplarError("vertex", [&] { g.getMaxFieldDim("Other", "few", 0); });
  CHECK(g.createVirtualGraph(4, 8).convertVirtualTileToPhysicalTile(1) == 5);

  const Tensor t = g.addVariable(FLOAT, {2, 3}, "source");
  const ComputeSet cs = g.addComputeSet("step");
  const Sequence prog{Repeat(4, Sequence{Execute(cs), Copy(t, g.clone(t))}), WriteUndef(t)};
  std::ostringstream dump;
  dumpProgram(g, prog, dump);
  CHECK(dump.str() ==
        "Sequence\n  Repeat 4\n    Sequence\n      Execute step\n"
        "      Copy float {2,3} float {2,3}\n  WriteUndef float {2,3}\n");
  std::ostringstream by_number;
  prog.dump(by_number);
  CHECK(by_number.str().find("Execute compute set 0") != std::string::npos);
}

template <class T>
struct Optional {
  Optional() : set(false) {}
  Optional(T v) : set(true), value(v) {}
  bool set;
  T value;
};

struct Names : poputil::TensorMetaDataBase {
  explicit Names(int n_) : n(n_) {}
  std::unique_ptr<poputil::TensorMetaDataBase> clone() const override {
    return std::unique_ptr<poputil::TensorMetaDataBase>(new Names(n));
  }
  int n;
};

static void records() {
  const Device device = modelDevice(2);
  Graph g(device);
  const Tensor t = g.addVariable(HALF, {4, 5}), none;
  const bool flag = true;
  const std::vector<unsigned> list = {7, 8};
  const std::vector<poputil::ArgType> args = DI_ARGS(t, none, flag, list);
  CHECK(args.size() == 4 && args[0].n == "t" && args[3].n == "list");
  CHECK(args[0].pv.asMap().at("shape").asString() == "[4, 5]");
  CHECK(args[0].pv.asMap().at("type").asString() == "half");
  CHECK(args[1].pv.asString() == "<poplar::Tensor> - uninitialized");
  CHECK(args[2].pv.asBool() && args[3].pv.asMap().at("1").asDouble() == 8);
  const int a = 1;
  const std::vector<poputil::ArgType> most =
      DI_ARGS(a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a);
  CHECK(most.size() == 16);
  poputil::PoplibsOpDebugInfo info("outer", DI_ARGS(a, flag));
  info.addOutput(t);
  const DebugNameAndId inner(info, "inner");
  CHECK(inner.getPathName() == "outer/inner");
  CHECK(DebugNameAndId("leaf", 3, "root").getPathName() == "root/leaf");
  expectPoplarError("record", [] { DebugInfo::initializeStreamer("no such folder/debug.json"); });

  Optional<double> limit;
  Optional<int> kind;
  const poplibs::OptionSpec spec{
      {"limit", poplibs::createOptionalDoubleHandler(limit, 0.0)},
      {"kind", poplibs::createOptionalEnumHandler(kind, std::map<std::string, int>{{"a", 4}})}};
  spec.parse("limit", "0.25");
  spec.parse("kind", "a");
  CHECK(limit.set && limit.value == 0.25 && kind.set && kind.value == 4);
  spec.parse("kind", "none");
  CHECK(!kind.set);

  const poputil::TensorMetaData meta(std::unique_ptr<poputil::TensorMetaDataBase>(new Names(5)));
  const poputil::TensorMetaData copy = meta;
  CHECK(copy.getData() != meta.getData());
  CHECK(static_cast<const Names*>(copy.getData())->n == 5);

  pvti::TraceChannel channel = {"channel"};
  const pvti::Metadata metadata = pvti::createJsonMetadata("{}");
  pvti::Tracepoint scope(&channel, "scope", 5, &metadata);
  pvti::Tracepoint::begin(&channel, "stage");
  pvti::Tracepoint::end(&channel, "stage");
  pvti::Graph("rate", "1/s").addSeries("a").add(1.5);
}

static void quarters() {
  using Q = QuarterMetadata;
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> in = {0,     1,       -1.0625f, 240,     248, 1e4f, 0.0009765625f,
                                 1e-4f, 0.8125f, 0.84375f, -0.875f, inf};
  for (Q::Format format : {Q::Format::F143, Q::Format::F152}) {
    for (bool nanoo : {false, true}) {
      std::vector<unsigned char> bits(in.size());
      std::vector<float> out(in.size());
      const Q metadata(format, 0);
      convertToDeviceType(QUARTER, metadata, ArrayRef<float>(in), bits.data(), nanoo);
      convertFromDeviceType(QUARTER, metadata, bits.data(), ArrayRef<float>(out));
      std::cout << "{\"case\":\"quarters\",\"name\":\"" << (format == Q::Format::F143 ? 143 : 152)
                << (nanoo ? "n" : "s") << "\",\"type\":\"float\",\"shape\":[12],\"values\":[";
      for (std::size_t i = 0; i < out.size(); ++i) {
        std::cout << (i == 0 ? "" : ",");
        if (out[i] != out[i]) {
          std::cout << "NaN";
        } else {
          std::cout << out[i];
        }
      }
      std::cout << "]}\n";
      // Every number comes back as it was.
      for (unsigned b = 0; b < 256; ++b) {
        const unsigned char one = static_cast<unsigned char>(b);
        for (int scale : {-32, -3, 0, 31}) {
          double value = 0;
          unsigned char again = 0;
          convertFromDeviceType(QUARTER, Q(format, scale), &one, ArrayRef<double>(&value, 1));
          convertToDeviceType(QUARTER, Q(format, scale), ArrayRef<double>(&value, 1), &again,
                              nanoo);
          CHECK(again == one);
        }
      }
    }
  }
  const float large[] = {1e6f, 3e5f};
  const Q best = calculateMetadataForConversion(QUARTER, ArrayRef<float>(large), Q::Format::F143);
  CHECK(best.getFormat() == Q::Format::F143 && best.getScale() > 11 && best.getScale() < 24);
  const double wide[] = {0.1, 65504};
  std::uint16_t halves[2];
  double back[2];
  convertToDeviceType(HALF, ArrayRef<double>(wide), halves);
  convertFromDeviceType(HALF, halves, ArrayRef<double>(back));
  CHECK(halves[1] == 0x7bff && back[1] == 65504 && back[0] > 0.0999 && back[0] < 0.1001);
  const OptionFlags options{{"a", "1"}};
  CHECK(options.find("a") != options.end() && options.find("b") == options.end());
}

int main() {
  quarters();
  types();
  targets();
  values();
  fields();
  records();
}
