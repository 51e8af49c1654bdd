#ifndef popart_printtensorfmt_hpp
#define popart_printtensorfmt_hpp

#include <popart/emulator/absent.hpp>

namespace popart {

class PrintTensorFmt {
 public:
  enum class FloatFormat {
    Auto = 0,
    Fixed = 1,
    Scientific = 2,
    None = 3,
  };
  const unsigned int summariseThreshold;
  const unsigned int edgeItems;
  const unsigned int maxLineWidth;
  const unsigned int digits;
  const FloatFormat floatFormat = FloatFormat::Auto;
  const char separator;
  const char openBracket;
  const char closeBracket;
  PrintTensorFmt(unsigned int = 1000, unsigned int = 3, unsigned int = 75, unsigned int = 8,
                 FloatFormat = FloatFormat::Auto, char = ' ', char = '[', char = ']')
      : summariseThreshold(emulator::absent<unsigned int>("popart::PrintTensorFmt")),
        edgeItems(emulator::absent<unsigned int>("popart::PrintTensorFmt")),
        maxLineWidth(emulator::absent<unsigned int>("popart::PrintTensorFmt")),
        digits(emulator::absent<unsigned int>("popart::PrintTensorFmt")),
        separator(emulator::absent<char>("popart::PrintTensorFmt")),
        openBracket(emulator::absent<char>("popart::PrintTensorFmt")),
        closeBracket(emulator::absent<char>("popart::PrintTensorFmt")) {}
};

}  // namespace popart

#endif  // popart_printtensorfmt_hpp
