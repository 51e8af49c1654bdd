#ifndef poputil_OptionParsing_hpp
#define poputil_OptionParsing_hpp

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <poplar/StringRef.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace poplibs {
namespace parse {

/// Each throws poplar::invalid_option where the text is not what it says.
template <typename T>
T asInteger(const poplar::StringRef& text) {
  std::istringstream in(text.str());
  if (text.str().find("0x") != std::string::npos) in >> std::hex;
  T out;
  in >> out;
  if (in.fail() || !in.eof()) throw poplar::invalid_option("Not a valid integer");
  return out;
}

template <typename T>
T asFloatingPoint(const poplar::StringRef& text) {
  std::istringstream in(text.str());
  T out;
  in >> out;
  if (in.fail()) throw poplar::invalid_option("Not a floating point number");
  return out;
}

/// ['a', 'b'].
template <typename T>
std::string describeEnumValues(const std::map<std::string, T>& values) {
  std::string names;
  for (const auto& v : values) names += (names.empty() ? "'" : ", '") + v.first + "'";
  return "[" + names + "]";
}

template <typename T>
T asEnum(const poplar::StringRef& text, const std::map<std::string, T>& values) {
  const typename std::map<std::string, T>::const_iterator at = values.find(text.str());
  if (at != values.end()) return at->second;
  throw poplar::invalid_option("Not one of the values: " + describeEnumValues(values));
}

inline bool asBool(const poplar::StringRef& text) {
  return asEnum<bool>(text, {{"true", true}, {"false", false}});
}

}  // namespace parse

/// Takes the text of one option's value.
class OptionHandler {
 public:
  template <typename T>
  OptionHandler(T&& valueHandler) : handler_(std::forward<T>(valueHandler)) {}
  void parseValue(poplar::StringRef value) const { handler_(value); }

  template <typename T, typename ValueMapT = std::map<std::string, T>>
  static OptionHandler createWithEnum(T& output, ValueMapT&& values) {
    const std::map<std::string, T> copy(std::forward<ValueMapT>(values));
    return OptionHandler(
        [copy, &output](poplar::StringRef value) { output = parse::asEnum<T>(value, copy); });
  }
  template <typename T>
  static OptionHandler createWithInteger(T& output) {
    return OptionHandler(
        [&output](poplar::StringRef value) { output = parse::asInteger<int>(value); });
  }
  template <typename T>
  static OptionHandler createWithBool(T& output) {
    return OptionHandler(
        [&output](poplar::StringRef value) { output = static_cast<T>(parse::asBool(value)); });
  }
  template <typename T>
  static void ensureValueIsWithinBounds(T value, const T& lowerBound, bool lowerBoundIsInclusive,
                                        const T& upperBound, bool upperBoundIsInclusive) {
    if (value < lowerBound || (!lowerBoundIsInclusive && value == lowerBound)) {
      throw poplar::invalid_option("Value must be greater than " +
                                   std::string(lowerBoundIsInclusive ? "or equal to " : "") +
                                   std::to_string(lowerBound));
    }
    if (value > upperBound || (!upperBoundIsInclusive && value == upperBound)) {
      throw poplar::invalid_option("Value must be less than " +
                                   std::string(upperBoundIsInclusive ? "or equal to " : "") +
                                   std::to_string(upperBound));
    }
  }
  template <typename T>
  static OptionHandler createWithDouble(T& output,
                                        double lowerBound = std::numeric_limits<double>::min(),
                                        bool lowerBoundIsInclusive = true,
                                        double upperBound = std::numeric_limits<double>::max(),
                                        bool upperBoundIsInclusive = true) {
    return OptionHandler([=, &output](poplar::StringRef value) {
      const double x = parse::asFloatingPoint<double>(value);
      ensureValueIsWithinBounds(x, lowerBound, lowerBoundIsInclusive, upperBound,
                                upperBoundIsInclusive);
      output = static_cast<T>(x);
    });
  }
  static OptionHandler createWithString(std::string& output) {
    return OptionHandler([&output](poplar::StringRef value) { output = value.str(); });
  }
  template <typename T>
  static OptionHandler createWithList(std::vector<T>& output) {
    return OptionHandler([&output](poplar::StringRef values) {
      std::istringstream in(values.str());
      for (std::string element; std::getline(in, element, ',');) {
        output.push_back(parse::asInteger<T>(element));
      }
    });
  }

 private:
  std::function<void(poplar::StringRef)> handler_;
};

// Of std::optional, or of another class like it.
template <template <class> class Optional, typename T>
OptionHandler createOptionalDoubleHandler(Optional<T>& output,
                                          double lowerBound = std::numeric_limits<double>::min(),
                                          bool lowerBoundIsInclusive = true,
                                          double upperBound = std::numeric_limits<double>::max(),
                                          bool upperBoundIsInclusive = true) {
  return OptionHandler([=, &output](poplar::StringRef value) {
    const double x = parse::asFloatingPoint<double>(value);
    OptionHandler::ensureValueIsWithinBounds(x, lowerBound, lowerBoundIsInclusive, upperBound,
                                             upperBoundIsInclusive);
    output = static_cast<T>(x);
  });
}
/// "none" leaves no value.
template <template <class> class Optional, typename T,
          typename ValueMapT = std::map<std::string, T>>
OptionHandler createOptionalEnumHandler(Optional<T>& output, ValueMapT&& values) {
  const std::map<std::string, T> copy(std::forward<ValueMapT>(values));
  return OptionHandler([copy, &output](poplar::StringRef value) {
    if (value == "none") {
      output = Optional<T>();
    } else {
      output = parse::asEnum<T>(value, copy);
    }
  });
}

/// The options that an operation knows, with what each does.
class OptionSpec {
 public:
  OptionSpec(std::initializer_list<std::pair<const std::string, OptionHandler>>&& handlers)
      : handlers_(handlers) {}

  void parse(poplar::StringRef option, poplar::StringRef value, bool ignoreUnknown = false) const {
    const std::map<std::string, OptionHandler>::const_iterator at = handlers_.find(option.str());
    if (at == handlers_.end()) {
      if (ignoreUnknown) return;
      throw poplar::invalid_option("Unrecognised option '" + option.str() + "'");
    }
    try {
      at->second.parseValue(value);
    } catch (const poplar::invalid_option& e) {
      throw poplar::invalid_option("Invalid value '" + value.str() + "' for option '" +
                                   option.str() + "': " + e.what());
    }
  }

 private:
  std::map<std::string, OptionHandler> handlers_;
};

}  // namespace poplibs

#endif  // poputil_OptionParsing_hpp
