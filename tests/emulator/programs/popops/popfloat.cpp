#include <cmath>
#include <popfloat/experimental/CastToGfloat.hpp>
#include <popfloat/experimental/CastToHalf.hpp>
#include <popfloat/experimental/codelets.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using namespace popfloat::experimental;
using Format = GfloatCast::FormatConfig;
using Round = GfloatCast::RoundConfig;

// Numbers of all sizes and signs, ties among them, an infinity and a NaN.
static std::vector<double> hardNumbers() {
  std::vector<double> out = {0, -0.0, HUGE_VAL, -HUGE_VAL, NAN};
  for (double m : {1.0, 1.0625, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 1.9999}) {
    for (int e = -34; e < 18; ++e) {
      out.push_back(std::ldexp(m, e));
      out.push_back(-std::ldexp(m, e));
    }
  }
  return out;
}

static void cast(const std::string& name, const Format& format, RoundType mode, bool nanoo,
                 SpecType stored = SpecType::AUTO, Type in = FLOAT) {
  Case c(name);
  addCodelets(c.graph);
  popops::addCodelets(c.graph);
  const auto numbers = hardNumbers();
  const Tensor x = c.input("x", in, {numbers.size()}, numbers);
  GfloatCast caster(format, Round(mode, 23, format.getCalculationType()), nanoo, stored);
  caster.createCastOpParamsTensor(c.graph, c.prog);
  const Tensor y = caster.castNativeToGfloat(c.graph, x, c.prog);
  CHECK(y.elementType() == caster.getGFStorageType());
  c.output("y", y);
  if (!caster.getStoreAsNative()) {
    c.output("z", caster.castGfloatToNative(c.graph, y, c.prog));
  } else if (caster.inPlaceOp(in)) {
    const Tensor same = c.graph.clone(x, "same");
    c.prog.add(Copy(x, same));
    caster.castNativeToGfloatInPlace(c.graph, same, c.prog);
    c.output("same", same);
  }
  c.run();
}

static void casts() {
  const RoundType modes[] = {RoundType::RZ, RoundType::RN, RoundType::RA, RoundType::RU,
                             RoundType::RD};
  for (RoundType mode : modes) {
    const std::string name = roundTypeToString(mode);
    cast("float_5_10_15_11_" + name, Format(10, 5, 15, true, true), mode, true);
    cast("float_4_11_13_01_" + name, Format(11, 4, 13, false, true), mode, true, SpecType::FP32);
    cast("float_4_11_13_10_" + name, Format(11, 4, 13, true, false), mode, false);
    cast("float_8_7_127_11_" + name, Format(7, 8, 127, true, true), mode, true);
    cast("float_3_4_3_11_" + name, Format(4, 3, 3, true, true, SpecType::FP32), mode, true);
    cast("half_3_4_3_11_" + name, Format(4, 3, 3, true, true), mode, true, SpecType::FP16);
    cast("half_3_4_3_10_" + name, Format(4, 3, 3, true, false), mode, false);
    cast("half_5_2_15_11_" + name, Format(2, 5, 15, true, true), mode, true);
    cast("half_5_2_17_10_" + name, Format(2, 5, 17, true, false), mode, false);
    cast("half_4_7_5_11_" + name, Format(7, 4, 5, true, true), mode, true, SpecType::AUTO, HALF);
    cast("half_0_6_2_10_" + name, Format(6, 0, 2, true, false), mode, false);
  }
}

// How often one number is rounded down, of many.
static void stochastic() {
  Case c("stochastic");
  addCodelets(c.graph);
  const Tensor x = c.input("x", FLOAT, {20000}, {1.1});
  const Format format(4, 6, 31, true, true);
  const auto add = [&](const std::string& name, const Round& round) {
    GfloatCast caster(format, round, true, SpecType::FP32);
    caster.createCastOpParamsTensor(c.graph, c.prog);
    c.output(name, caster.castNativeToGfloat(c.graph, x, c.prog));
  };
  using D = SRDensityType;
  add("SR", Round(RoundType::SR, 23, FLOAT));
  add("one_bit", Round(RoundType::SX, 1, FLOAT));
  add("uniform", Round(RoundType::SX, 23, FLOAT, D::UNIFORM, 0, 0, 0.8f, 0.3f));
  add("normal", Round(RoundType::SX, 23, FLOAT, D::NORMAL, 0.1f, 0.3f, 0.5f, -0.5f));
  add("truncated_normal",
      Round(RoundType::SX, 23, FLOAT, D::TRUNCATED_NORMAL, 0.1f, 0.3f, 0.5f, -0.3f));
  add("bernoulli", Round(RoundType::SX, 23, FLOAT, D::BERNOULLI, 0, 0, 0, 0, 0.3f));
  add("laplace", Round(RoundType::SX, 23, FLOAT, D::LAPLACE, 0.1f, 0.2f, 0.5f, -0.5f));
  add("truncated_laplace",
      Round(RoundType::SX, 23, FLOAT, D::TRUNCATED_LAPLACE, 0.1f, 0.2f, 0.5f, -0.2f));
  add("logistic", Round(RoundType::SX, 23, FLOAT, D::LOGISTIC, 0.1f, 0.2f, 0.5f, -0.5f));
  add("truncated_logistic",
      Round(RoundType::SX, 23, FLOAT, D::TRUNCATED_LOGISTIC, 0.1f, 0.2f, 0.5f, -0.2f));
  add("logit_normal", Round(RoundType::SX, 23, FLOAT, D::LOGIT_NORMAL, 0.2f, 0.7f, 1, 0));
  add("truncated_logit_normal",
      Round(RoundType::SX, 23, FLOAT, D::TRUNCATED_LOGIT_NORMAL, 0.2f, 0.7f, 0.9f, 0.2f));
  c.run();
}

static void configs() {
  const Format bf16(7, 8, 127, true, true), gf8(2, 5, 15, true, false);
  CHECK(bf16.getFormatType() == FormatType::BFLOAT16 && bf16.getStorageType() == SHORT);
  CHECK(bf16.getCalculationType() == FLOAT && bf16.getNativeType() == FLOAT);
  CHECK(gf8.getFormatType() == FormatType::MAX_NORM_ALIGN_GF8);
  CHECK(gf8.getStorageType() == SIGNED_CHAR && gf8.getNativeType() == HALF);
  CHECK(gf8.getPackedFloatParameters() == 0x010f0502u && gf8.getPackedFloatBits() == 8);
  CHECK(Format(10, 5, 15, true, true).getFormatType() == FormatType::IEEE_FP16);
  CHECK(Format(3, 4, 7, true, true).getFormatType() == FormatType::MIN_NORM_ALIGN_GF8);
  CHECK(Format(11, 4, 7, false, true).getFormatType() == FormatType::NO_DENORM_GF16);
  CHECK(Format(8, 5, 7, true, true).getFormatType() == FormatType::QUANTISED_FP16);
  CHECK(Format(16, 8, 127, true, true).getFormatType() == FormatType::QUANTISED_FP32);
  CHECK(Format(4, 0, 7, true, false).isBlockFloat() && !gf8.isBlockFloat());
  const Round round(RoundType::SX, 8, FLOAT, SRDensityType::NORMAL, 0.25f, 0.5f, 0.5f, -0.5f);
  CHECK(round.getSRBitMask() == std::vector<unsigned>(2, ~0x7fffu));
  CHECK(round.getRoundingParams().size() == 9 && round.getNoiseParams().size() == 6);
  CHECK(Round(RoundType::RN, 8, HALF).getSRBitMask()[0] == 0xfffcfffcu);
  const GfloatCast::GfloatFormatOptions options(
      OptionFlags{{"numMantissaBits", "3"}, {"numExponentBits", "4"}, {"enableDenorms", "false"}});
  CHECK(options.numMantissaBits == 3 && !options.enableDenorms && options.enableInfsAndNans);
  const GfloatCast::GfloatCastOptions how(OptionFlags{{"roundMode", "RA"}, {"numSRBits", "5"}});
  CHECK(how.roundMode == RoundType::RA && how.numSRBits == 5 && how.enableNanooMode);
  CHECK(poputil::templateVertex("X", RoundType::RN, FormatType::BFLOAT16) ==
        "X<popfloat::experimental::RoundType::RN,popfloat::experimental::FormatType::BFLOAT16>");
  CHECK(specTypeToPoplarType(SpecType::BF16) == FLOAT &&
        specTypeToString(SpecType::AUTO) == "AUTO");
  // Bits of poplibs' own conversion, which overflows to a NaN.
  CHECK(singleToHalf(1.0f) == 0x3c00 && singleToHalf(-70000.0f) == 0xffe0);
  CHECK(singleToHalf(70000.0f, true) == 0x7bff && singleToHalf(std::ldexp(1.0f, -25)) == 1);
  CHECK(halfToSingle(0xbc00) == -1 && std::isnan(halfToSingle(0x7ece)));

  expectError("too_wide", [] { Format(24, 8, 127, true, true, FLOAT); });
  expectError("not_half", [] { Format(11, 4, 7, true, true, SpecType::FP16); });
  expectError("no_numbers", [] { Format(2, 1, 0, false, true); });
  expectError("noise", [] { Round(RoundType::SX, 8, FLOAT, SRDensityType::UNIFORM, 0, 1, 2, 0); });
  Case c("errors");
  addCodelets(c.graph);
  const Tensor x = c.input("x", INT, {4}, {1}), f = c.input("f", FLOAT, {4}, {1});
  GfloatCast unset(gf8, Round(RoundType::RN, 10, HALF), false);
  expectError("unset", [&] { unset.castNativeToGfloat(c.graph, f, c.prog); });
  GfloatCast caster(options, how, HALF);
  caster.createCastOpParamsTensor(c.graph, c.prog);
  expectError("no_mode", [&] { caster.castNativeToGfloat(c.graph, f, c.prog); });
  GfloatCast wide(gf8, Round(RoundType::RN, 10, HALF), false, SpecType::INT16);
  wide.createCastOpParamsTensor(c.graph, c.prog);
  expectError("storage", [&] { wide.castNativeToGfloat(c.graph, f, c.prog); });
  unset.createCastOpParamsTensor(c.graph, c.prog);
  expectError("input", [&] { unset.castNativeToGfloat(c.graph, x, c.prog); });
}

int main() {
  casts();
  stochastic();
  configs();
}
