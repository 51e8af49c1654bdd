#ifndef popart_popx_popefserializer_hpp
#define popart_popx_popefserializer_hpp

#include <iostream>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/vendored/optional.hpp>
#include <poplar/Executable.hpp>
#include <vector>

namespace popart {

class Ir;

namespace popx {

class IrLowering;
class Executablex;
class Devicex;

namespace serialization {

class Writer {
 public:
  Writer(std::ostream&, const popart::popx::Devicex&) {
    emulator::missing("popart::popx::serialization::Writer");
  }
  void serializePoplarExecutable() {
    emulator::missing("popart::popx::serialization::Writer::serializePoplarExecutable");
  }
  void serializePopartMetadata() {
    emulator::missing("popart::popx::serialization::Writer::serializePopartMetadata");
  }
  void serializeTensorData() {
    emulator::missing("popart::popx::serialization::Writer::serializeTensorData");
  }
};

class Reader {
 public:
  Reader(const std::vector<std::shared_ptr<std::istream>>&) {
    emulator::missing("popart::popx::serialization::Reader");
  }
  size_t readExecutableHash() const {
    emulator::missing("popart::popx::serialization::Reader::readExecutableHash");
  }
  bool containsPoplarExecutable() const {
    emulator::missing("popart::popx::serialization::Reader::containsPoplarExecutable");
  }
  bool containsExecutable() const {
    emulator::missing("popart::popx::serialization::Reader::containsExecutable");
  }
  bool containsPopefMetadata() {
    emulator::missing("popart::popx::serialization::Reader::containsPopefMetadata");
  }
  poplar::Executable deserializePoplarExecutable() const {
    emulator::missing("popart::popx::serialization::Reader::deserializePoplarExecutable");
  }
  std::unique_ptr<popart::popx::Executablex> deserializeExecutable(
      popart::Ir&, popart::popx::IrLowering&) const {
    emulator::missing("popart::popx::serialization::Reader::deserializeExecutable");
  }
  static nonstd::optional<size_t> checkFileForValidPoplarExecutable(const std::string&) {
    emulator::missing("popart::popx::serialization::Reader::checkFileForValidPoplarExecutable");
  }
};

}  // namespace serialization
}  // namespace popx
}  // namespace popart

#endif  // popart_popx_popefserializer_hpp
