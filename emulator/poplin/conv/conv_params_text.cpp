// Convolution parameters as text, and from JSON.
#include <cctype>
#include <cstdlib>
#include <istream>
#include <ostream>
#include <poplin/ConvParams.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "json_reader.hpp"

namespace poplin {

using poplar::ProfileValue;

namespace {

constexpr std::size_t kNameWidth = 27;

template <class T>
void line(std::ostream& os, std::string name, const T& value) {
  name.resize(kNameWidth, ' ');
  os << "        " << name << value << "\n";
}

template <class T>
std::string list(const std::vector<T>& values) {
  std::string out = "{";
  for (const auto x : values) {
    out += (out.size() == 1 ? "" : ",") + std::to_string(static_cast<std::size_t>(x));
  }
  return out + "}";
}

void inputLines(std::ostream& os, const std::string& of, const std::string& flip,
                const ConvParams::InputTransform& t) {
  line(os, of + "TruncationLower", list(t.truncationLower));
  line(os, of + "TruncationUpper", list(t.truncationUpper));
  line(os, of + "Dilation", list(t.dilation));
  line(os, of + "PaddingLower", list(t.paddingLower));
  line(os, of + "PaddingUpper", list(t.paddingUpper));
  line(os, flip, list(t.flip));
}

const ProfileValue* member(const ProfileValue& object, const std::string& name) {
  const auto at = object.asMap().find(name);
  return at == object.asMap().end() ? nullptr : &at->second;
}

std::size_t asSize(const ProfileValue& value, const std::string& name) {
  // Numbers in quotes are taken, too.
  const double x = value.type() == ProfileValue::Type::STRING
                       ? std::strtod(value.asString().c_str(), nullptr)
                       : value.asDouble();
  const bool number = value.type() == ProfileValue::Type::NUMBER ||
                      value.type() == ProfileValue::Type::BOOL ||
                      (value.type() == ProfileValue::Type::STRING && !value.asString().empty() &&
                       std::isdigit(static_cast<unsigned char>(value.asString()[0])) != 0);
  if (!number || x < 0 || x >= 1e15) {
    throw poputil::poplibs_error("ConvParams: " + name + ": expected a number of 0 or above");
  }
  return static_cast<std::size_t>(x);
}

void read(const ProfileValue& object, const std::string& name, std::size_t& to) {
  if (const ProfileValue* value = member(object, name)) to = asSize(*value, name);
}

template <class T>
void read(const ProfileValue& object, const std::string& name, std::vector<T>& to) {
  const ProfileValue* value = member(object, name);
  if (value == nullptr) return;
  to.clear();
  for (const ProfileValue& x : value->asVector()) to.push_back(static_cast<T>(asSize(x, name)));
}

void read(const ProfileValue& object, const std::string& name, poplar::Type& to) {
  const ProfileValue* value = member(object, name);
  if (value == nullptr) return;
  for (const poplar::Type& type : {poplar::HALF, poplar::FLOAT, poplar::QUARTER}) {
    if (type.toString() == value->asString()) {
      to = type;
      return;
    }
  }
  throw poputil::poplibs_error("ConvParams: " + name + ": expected half, float or quarter, got " +
                               value->asString());
}

void read(const ProfileValue& root, const std::string& name, ConvParams::InputTransform& to) {
  const ProfileValue* object = member(root, name);
  if (object == nullptr) return;
  read(*object, "truncationLower", to.truncationLower);
  read(*object, "truncationUpper", to.truncationUpper);
  read(*object, "dilation", to.dilation);
  read(*object, "paddingLower", to.paddingLower);
  read(*object, "paddingUpper", to.paddingUpper);
  read(*object, "flip", to.flip);
}

void read(const ProfileValue& root, const std::string& name, ConvParams::OutputTransform& to) {
  const ProfileValue* object = member(root, name);
  if (object == nullptr) return;
  read(*object, "truncationLower", to.truncationLower);
  read(*object, "truncationUpper", to.truncationUpper);
  read(*object, "stride", to.stride);
  read(*object, "paddingLower", to.paddingLower);
  read(*object, "paddingUpper", to.paddingUpper);
}

}  // namespace

std::ostream& operator<<(std::ostream& os, const ConvParams& p) {
  os << "\n  Params:\n";
  line(os, "inputType", p.inputType);
  line(os, "outputType", p.outputType);
  line(os, "batchSize", p.batchSize);
  line(os, "numConvGroups", p.numConvGroups);
  line(os, "inputFieldShape", list(p.inputFieldShape));
  line(os, "kernelShape", list(p.kernelShape));
  line(os, "inputChannelsPerConvGroup", p.inputChannelsPerConvGroup);
  line(os, "outputChannelsPerConvGroup", p.outputChannelsPerConvGroup);
  inputLines(os, "input", "flipInput", p.inputTransform);
  inputLines(os, "kernel", "flipKernel", p.kernelTransform);
  line(os, "outputTruncationLower", list(p.outputTransform.truncationLower));
  line(os, "outputTruncationUpper", list(p.outputTransform.truncationUpper));
  line(os, "stride", list(p.outputTransform.stride));
  line(os, "outputPaddingLower", list(p.outputTransform.paddingLower));
  line(os, "outputPaddingUpper", list(p.outputTransform.paddingUpper));
  line(os, "outputFieldShape", list(p.getOutputFieldShape()));
  return os;
}

std::istream& operator>>(std::istream& is, ConvParams& p) {
  const ProfileValue root = readJson(is);
  read(root, "dataType", p.inputType);
  read(root, "dataType", p.outputType);
  read(root, "inputType", p.inputType);
  read(root, "outputType", p.outputType);
  read(root, "batchSize", p.batchSize);
  read(root, "numConvGroups", p.numConvGroups);
  read(root, "inputChannelsPerConvGroup", p.inputChannelsPerConvGroup);
  read(root, "outputChannelsPerConvGroup", p.outputChannelsPerConvGroup);
  read(root, "inputFieldShape", p.inputFieldShape);
  read(root, "kernelShape", p.kernelShape);
  if (p.inputFieldShape.size() != p.kernelShape.size()) {
    throw poputil::poplibs_error("Input and kernel must have the same number of dimensions");
  }
  p.inputTransform = ConvParams::InputTransform(p.inputFieldShape.size());
  p.kernelTransform = ConvParams::InputTransform(p.inputFieldShape.size());
  p.outputTransform = ConvParams::OutputTransform(p.inputFieldShape.size());
  read(root, "inputTransform", p.inputTransform);
  read(root, "kernelTransform", p.kernelTransform);
  read(root, "outputTransform", p.outputTransform);
  return is;
}

}  // namespace poplin
