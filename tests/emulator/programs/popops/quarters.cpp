// Casts from and to numbers of 8 bits, and the metadata of their tensors.
#include <poplar/MetadataCreation.hpp>
#include <popops/Cast.hpp>
#include <popops/codelets.hpp>
#include <sstream>

#include "../harness.hpp"

using Q = QuarterMetadata;

// All bytes as numbers of `type`, and back.
static void everyNumber(const Device& device, Type type, const char* name, Q metadata) {
  Graph g(device);
  popops::addCodelets(g);
  const Tensor bytes = g.addVariable(QUARTER, {256}, VariableMappingMethod::LINEAR, "bytes");
  CHECK(bytes.hasMetadata() && bytes[3].getMetadata() == bytes.getMetadata());
  Sequence prog;
  const Tensor numbers = popops::cast(g, bytes, type, prog);
  CHECK(numbers.elementType() == type && !numbers.hasMetadata());
  const Tensor format = createVariableMetadataTensor(g, metadata.getFormat(), metadata.getScale());
  const Tensor again = popops::cast(g, numbers, QUARTER, format, prog);
  CHECK(again.getMetadata() == format);
  g.createHostWrite("bytes", bytes);
  g.createHostRead("numbers", popops::cast(g, numbers, FLOAT, prog));
  g.createHostRead("again", again);
  Executable executable = compileGraph(g, {prog});
  if (device.getTarget().getTargetType() == TargetType::IPU) {  // which has files of executables
    std::stringstream file;
    executable.serialize(file);
    executable = Executable::deserialize(file);
  }
  Engine engine(std::move(executable));
  engine.load(device);
  std::vector<std::uint8_t> in(256), out(256);
  for (unsigned i = 0; i < 256; ++i) in[i] = static_cast<std::uint8_t>(i);
  engine.writeTensor("bytes", metadata, in.data(), in.data() + 256);
  engine.run();
  Q found;
  engine.readTensor("again", found, out.data(), out.data() + 256);
  CHECK(found == metadata);
  std::vector<float> values(256);
  engine.readTensor("numbers", values.data(), values.data() + 256);
  std::cout << "{\"case\":\"" << name
            << "\",\"name\":\"numbers\",\"type\":\"float\",\"shape\":[256],"
            << "\"values\":[";
  for (unsigned i = 0; i < 256; ++i) {
    if (i != 0) std::cout << ',';
    if (values[i] != values[i]) {
      std::cout << "NaN";
    } else {
      std::cout << values[i];
    }
    if (type == FLOAT || type == HALF) CHECK(out[i] == in[i]);
  }
  std::cout << "]}\n";
}

static void toQuarter() {
  Case c("to quarter");
  popops::addCodelets(c.graph);
  const Tensor x =
      c.input("x", FLOAT, {9}, {0, 1, -1.0625, 240, 248, 1e4, 0.0009765625, 1e-4, -0.875});
  const Tensor narrow = createConstantMetadataTensor(c.graph, Q::Format::F143, 0);
  const Tensor wide = createConstantMetadataTensor(c.graph, Q::Format::F152, 2);
  const Tensor first = popops::cast(c.graph, x, QUARTER, narrow, c.prog);
  c.output("narrow", popops::cast(c.graph, first, FLOAT, c.prog));
  c.output("bytes", first.reinterpret(UNSIGNED_CHAR));
  const Tensor second = popops::cast(c.graph, first, QUARTER, wide, c.prog);  // not a copy
  c.output("wide", popops::cast(c.graph, second, FLOAT, c.prog));
  const ComputeSet cs = c.graph.addComputeSet();
  const Tensor half = popops::cast(c.graph, x.slice(0, 4), HALF, c.prog);
  const Tensor third = popops::cast(c.graph, half, QUARTER, wide, cs);
  c.prog.add(Execute(cs));
  c.output("from half", popops::cast(c.graph, third, FLOAT, c.prog));
  c.run();
}

static void misuse() {
  const Device device = modelDevice(2);
  Graph g(device);
  popops::addCodelets(g);
  Sequence prog;
  Tensor x = g.addVariable(QUARTER, {4}, VariableMappingMethod::LINEAR);
  const Tensor y = g.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR);
  const Tensor format = createVariableMetadataTensor(g, Q::Format::F152, 1);
  CHECK(!(g.clone(x).getMetadata() == x.getMetadata()));
  CHECK(g.addVariable(QUARTER, format, {2}).getMetadata() == format);
  CHECK(g.clone(QUARTER, format, y).getMetadata() == format);
  CHECK(!y.getMetadata().valid());
  const Tensor own = x.getMetadata();
  x.associateMetadata(format);
  CHECK(x.getMetadata() == format && !(own == format));
  expectError("none", [&] { popops::cast(g, y, QUARTER, prog); });
  expectPoplarError("another", [&] { popops::cast(g, y, QUARTER, y[0], prog); });
  expectPoplarError("needless", [&] { popops::cast(g, y, INT, format, prog); });
  expectError("integer", [&] { popops::cast(g, x, INT, prog); });
  expectPoplarError("constant", [&] { g.addConstant(QUARTER, format, {2}, 1.0f); });
  expectPoplarError("several", [&] { concat(x, g.clone(x)).getMetadata(); });
  expectPoplarError("associate", [&] { Tensor(y).associateMetadata(format); });
}

int main() {
  std::cout.precision(9);
  setenv("POPSNN_EMULATE_IPU", "1", 1);
  const Device model = modelDevice(4);
  const Device ipu = DeviceManager::createDeviceManager()
                         .getDevices(TargetType::IPU, 1)
                         .at(0)
                         .createVirtualDevice(4);
  ipu.attach();
  everyNumber(ipu, FLOAT, "F143", Q(Q::Format::F143, -5));
  everyNumber(model, FLOAT, "F152", Q(Q::Format::F152, 31));
  everyNumber(model, HALF, "F143 half", Q(Q::Format::F143, 8));
  everyNumber(ipu, SIGNED_CHAR, "chars", Q(Q::Format::F143, 0));
  toQuarter();
  misuse();
}
