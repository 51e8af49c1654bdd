#include <popart/attributes.hpp>
#include <popart/error.hpp>
#include <popart/util.hpp>

namespace popart {

namespace {

// The kinds of ONNX that a value of C++ is.
any normalised(const std::string& key, const any& value) {
  const std::type_info& type = value.type();
  if (type == typeid(Attributes::Int) || type == typeid(Attributes::Ints) ||
      type == typeid(Attributes::Float) || type == typeid(Attributes::Floats) ||
      type == typeid(Attributes::String) || type == typeid(Attributes::Strings)) {
    return value;
  }
  if (type == typeid(int)) return Attributes::Int(any_cast<int>(value));
  if (type == typeid(unsigned)) return Attributes::Int(any_cast<unsigned>(value));
  if (type == typeid(bool)) return Attributes::Int(any_cast<bool>(value));
  if (type == typeid(double)) return Attributes::Float(any_cast<double>(value));
  if (type == typeid(const char*)) return Attributes::String(any_cast<const char*>(value));
  throw error(
      "Attributes: '{}': expected an integer, a float, a string or a vector of one of them, got "
      "a {}",
      key, type.name());
}

const char* kindOf(const any& value) {
  const std::type_info& type = value.type();
  if (type == typeid(Attributes::Int)) return "an integer";
  if (type == typeid(Attributes::Ints)) return "a list of integers";
  if (type == typeid(Attributes::Float)) return "a float";
  if (type == typeid(Attributes::Floats)) return "a list of floats";
  if (type == typeid(Attributes::String)) return "a string";
  return "a list of strings";
}

// Lists without elements come with a type that says nothing of what was meant.
bool isEmptyList(const any& value) {
  if (const auto* list = value.get<Attributes::Ints>()) return list->empty();
  if (const auto* list = value.get<Attributes::Floats>()) return list->empty();
  if (const auto* list = value.get<Attributes::Strings>()) return list->empty();
  return false;
}

template <class T>
bool isList() {
  return !std::is_arithmetic<T>::value && !std::is_same<T, Attributes::String>::value;
}

}  // namespace

Attributes::Attributes() : misread_(std::make_shared<std::vector<std::string>>()) {}

Attributes::Attributes(const std::map<std::string, any>& values) : Attributes() {
  for (const auto& v : values) {
    values_[v.first] = normalised(v.first, v.second);
    names_.push_back(v.first);
  }
}

void Attributes::takeAttribute(const std::string& key, const Attributes& attributes) {
  const auto entry = attributes.values_.find(key);
  if (entry == attributes.values_.end()) return;
  if (values_.count(key) == 0) names_.push_back(key);
  values_[key] = entry->second;
}

void Attributes::append(std::stringstream& out, std::string prefix) const {
  for (const std::string& name : names_) {
    out << prefix << name << ' ';
    const any& value = values_.at(name);
    if (const auto* integer = value.get<Int>()) out << *integer;
    if (const auto* number = value.get<Float>()) out << *number;
    if (const auto* text = value.get<String>()) out << *text;
    if (const auto* integers = value.get<Ints>()) appendSequence(out, *integers);
    if (const auto* numbers = value.get<Floats>()) appendSequence(out, *numbers);
    if (const auto* texts = value.get<Strings>()) appendSequence(out, *texts);
    out << '\n';
  }
}

namespace {

void appendKey(std::ostream& out, const std::string& text) { out << text.size() << ':' << text; }
void appendKey(std::ostream& out, std::int64_t value) { out << value << 'i'; }
void appendKey(std::ostream& out, float value) { out << std::hexfloat << value << 'f'; }

template <class T>
void appendKeys(std::ostream& out, const any& value) {
  if (const T* item = value.get<T>()) appendKey(out, *item);
  const auto* many = value.get<std::vector<T>>();
  if (many == nullptr) return;
  out << '[';
  for (const T& each : *many) appendKey(out, each);
  out << ']' << typeid(T).name();
}

}  // namespace

std::string Attributes::key() const {
  std::ostringstream out;
  for (const auto& v : values_) {
    appendKey(out, v.first);
    appendKeys<Int>(out, v.second);
    appendKeys<Float>(out, v.second);
    appendKeys<String>(out, v.second);
  }
  return out.str();
}

template <class T>
bool Attributes::read(T& value, const std::string& key) const {
  const auto entry = values_.find(key);
  if (entry == values_.end()) return false;
  const T* typed = entry->second.get<T>();
  if (typed == nullptr && !(isList<T>() && isEmptyList(entry->second))) {
    misread_->push_back(logging::format("attribute '{}': expected {}, got {}", key,
                                        kindOf(any(T())), kindOf(entry->second)));
  }
  value = typed == nullptr ? T() : *typed;
  return true;
}

// An empty string is treated as absent, which ONNX cannot tell apart.
template <>
bool Attributes::read(String& value, const std::string& key) const {
  const auto entry = values_.find(key);
  if (entry == values_.end()) return false;
  const String* typed = entry->second.get<String>();
  if (typed == nullptr) {
    misread_->push_back(
        logging::format("attribute '{}': expected a string, got {}", key, kindOf(entry->second)));
    return false;
  }
  value = *typed;
  return !typed->empty();
}

template <class T>
T Attributes::getAttribute(const std::string& key, const T& defaultValue) const {
  T value;
  return read(value, key) ? value : defaultValue;
}

template <class T>
T Attributes::getAttribute(const std::string& key) const {
  T value;
  set(value, key);
  return value;
}

template <class T>
void Attributes::setIfPresent(T& value, const std::string& key) const {
  T result;
  if (read(result, key)) value = result;
}

template <class T>
void Attributes::set(T& value, const std::string& key) const {
  if (!read(value, key)) throw error("Attributes: expected an attribute '{}', got none", key);
}

template <class T>
void Attributes::setAttribute(const std::string& key, T& value) {
  if (values_.count(key) == 0) names_.push_back(key);
  values_[key] = value;
}

bool checkedIntToBool(std::int64_t value) {
  if (value != 0 && value != 1) throw error("checkedIntToBool: expected 0 or 1, got {}", value);
  return value == 1;
}

template <>
void Attributes::setIfPresent(bool& value, const std::string& key) const {
  Int result;
  if (read(result, key)) value = checkedIntToBool(result);
}

#define POPART_ATTRIBUTE(T)                                                   \
  template T Attributes::getAttribute<T>(const std::string&, const T&) const; \
  template T Attributes::getAttribute<T>(const std::string&) const;           \
  template void Attributes::setIfPresent<T>(T&, const std::string&) const;    \
  template void Attributes::set<T>(T&, const std::string&) const;             \
  template void Attributes::setAttribute<T>(const std::string&, T&);
POPART_ATTRIBUTE(Attributes::Int)
POPART_ATTRIBUTE(Attributes::Ints)
POPART_ATTRIBUTE(Attributes::Float)
POPART_ATTRIBUTE(Attributes::Floats)
POPART_ATTRIBUTE(Attributes::String)
POPART_ATTRIBUTE(Attributes::Strings)
#undef POPART_ATTRIBUTE

}  // namespace popart
