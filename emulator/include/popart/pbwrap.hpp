#ifndef popart_pbwrap_hpp
#define popart_pbwrap_hpp

#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

class InputVecWrapper {
 public:
  InputVecWrapper(const std::vector<TensorId>&) { emulator::missing("popart::InputVecWrapper"); }
  int input_size() const { emulator::missing("popart::InputVecWrapper::input_size"); }
  const TensorId& input(int) const { emulator::missing("popart::InputVecWrapper::input"); }
};

class OutputVecWrapper {
 public:
  OutputVecWrapper(const std::vector<TensorId>&) { emulator::missing("popart::OutputVecWrapper"); }
  int output_size() const { emulator::missing("popart::OutputVecWrapper::output_size"); }
  const TensorId& output(int) const { emulator::missing("popart::OutputVecWrapper::output"); }
};

class IOMapWrapper {
 public:
  IOMapWrapper(const std::map<int, TensorId>&) { emulator::missing("popart::IOMapWrapper"); }
  const TensorId& idAt(int) const { emulator::missing("popart::IOMapWrapper::idAt"); }
  int get_size() const { emulator::missing("popart::IOMapWrapper::get_size"); }
};

class InputMapWrapper : public IOMapWrapper {
 public:
  InputMapWrapper(const std::map<int, TensorId>&)
      : IOMapWrapper(emulator::absent<const std::map<int, TensorId>>("popart::InputMapWrapper")) {}
  const TensorId& input(int) const { emulator::missing("popart::InputMapWrapper::input"); }
  int input_size() const { emulator::missing("popart::InputMapWrapper::input_size"); }
};

class OutputMapWrapper : public IOMapWrapper {
 public:
  OutputMapWrapper(const std::map<int, TensorId>&)
      : IOMapWrapper(emulator::absent<const std::map<int, TensorId>>("popart::OutputMapWrapper")) {}
  const TensorId& output(int) const { emulator::missing("popart::OutputMapWrapper::output"); }
  int output_size() const { emulator::missing("popart::OutputMapWrapper::output_size"); }
};

}  // namespace popart

#endif  // popart_pbwrap_hpp
