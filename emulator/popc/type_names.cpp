#include "type_names.hpp"

#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>

namespace popc {
namespace {

// Compilers order the words of integer types differently.
std::string baseName(const char* name) {
  static const std::map<std::string, std::string> canonical = {
      {"_Bool", "bool"},
      {"short int", "short"},
      {"unsigned", "unsigned int"},
      {"short unsigned int", "unsigned short"},
      {"unsigned short int", "unsigned short"},
      {"long int", "long"},
      {"long unsigned int", "unsigned long"},
      {"unsigned long int", "unsigned long"},
      {"long long int", "long long"},
      {"long long unsigned int", "unsigned long long"},
      {"unsigned long long int", "unsigned long long"},
  };
  const auto entry = canonical.find(name);
  return entry == canonical.end() ? name : entry->second;
}

// A definition outside its scope knows name and scope through its declaration.
const Die* declarationOf(const Dwarf& dwarf, const Die* die) {
  return die->specification ? dwarf.at(die->specification) : die;
}

bool isScope(const Die* die) { return die && die->tag != kTagCompileUnit; }

std::string ownName(const Die* die) {
  if (!die->name) return "";
  return std::string(die->name, std::strcspn(die->name, "<"));
}

// "<float, ns::Tag>" of a class that the source never completed: its name is all that is known.
std::string undescribedArguments(const Die* die, const std::string& comma) {
  const char* from = die->name ? std::strchr(die->name, '<') : nullptr;
  if (!from || !isClass(die)) return "";
  std::string out = from;
  for (size_t at = out.find(", "); at != std::string::npos; at = out.find(", ", at + 1)) {
    out.replace(at, 2, comma);
  }
  return out;
}

// How many elements a vector of the compiler's has.
uint64_t vectorSize(const Die* array) {
  for (const Die* child : array->children) {
    if (child->tag == kTagSubrange) return child->array_size;
  }
  return 0;
}

// "float2" for what ipudef.h declares by that name; empty for another type.
std::string deviceVectorName(const Dwarf& dwarf, const Die* type) {
  static const std::map<std::string, std::string> shorter = {{"unsigned char", "uchar"},
                                                             {"unsigned short", "ushort"},
                                                             {"unsigned int", "uint"},
                                                             {"long long", "longlong"}};
  if (type->tag == kTagArray && type->vector) {
    const Die* element = strip(dwarf, dwarf.at(type->type));
    const std::string name = baseName(element->name);
    const auto entry = shorter.find(name);
    return (entry == shorter.end() ? name : entry->second) + std::to_string(vectorSize(type));
  }
  if (!isClass(type) || qualifiedName(dwarf, type) != "poplar::detail::HalfVector") return "";
  return "half" + std::to_string(templateArguments(type).at(0)->const_value);
}

using TypeSpeller = std::function<std::string(const Die*)>;
using ValueSpeller = std::function<std::string(const Die* type, const Die* value)>;

// Scopes, name and template arguments of a class, enumeration or alias.
std::string spellNamed(const Dwarf& dwarf, const Die* die, const char* comma,
                       const TypeSpeller& type, const ValueSpeller& value) {
  const Die* named = declarationOf(dwarf, die);
  std::string out;
  if (isScope(named->parent)) {
    out = spellNamed(dwarf, named->parent, comma, type, value);
  }
  const std::string own = ownName(named);
  if (!out.empty() && !own.empty()) out += "::";
  out += own;
  const auto arguments = templateArguments(die);
  if (arguments.empty()) return out + undescribedArguments(named, comma);
  out += '<';
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Die* argument_type = dwarf.at(arguments[i]->type);
    if (i) out += comma;
    out += arguments[i]->tag == kTagTemplateType ? type(argument_type)
                                                 : value(argument_type, arguments[i]);
  }
  return out + '>';
}

const Die* enumeratorOf(const Die* enumeration, int64_t value) {
  for (const Die* child : enumeration->children) {
    if (child->tag == kTagEnumerator && child->const_value == value) return child;
  }
  return nullptr;
}

std::string number(const Dwarf& dwarf, const Die* type, const Die* value) {
  const Die* stripped = strip(dwarf, type);
  const std::string name = stripped && stripped->name ? baseName(stripped->name) : "";
  if (name == "bool") return value->const_value ? "true" : "false";
  if (name.rfind("unsigned", 0) == 0) {
    return std::to_string(static_cast<uint64_t>(value->const_value));
  }
  return std::to_string(value->const_value);
}

std::string poplarValue(const Dwarf& dwarf, const Die* type, const Die* value) {
  const Die* stripped = strip(dwarf, type);
  if (!stripped || stripped->tag != kTagEnumeration) return number(dwarf, type, value);
  const std::string name = poplarName(dwarf, stripped);
  if (const Die* enumerator = enumeratorOf(stripped, value->const_value)) {
    return name + "::" + enumerator->name;
  }
  return '(' + name + ')' + std::to_string(value->const_value);
}

std::string sourceValue(const Dwarf& dwarf, const Die* type, const Die* value) {
  if (!value->has_const_value) {
    throw std::runtime_error(
        "popc: expected template arguments that are types, integers or "
        "enumerators, got another kind for parameter '" +
        std::string(value->name ? value->name : "") + "'");
  }
  return "static_cast< " + sourceName(dwarf, type) + ">(" + number(dwarf, type, value) + ')';
}

// `inner *`, `inner *const`, `inner [4]` and the like, with the given speller for names.
std::string spellType(const Dwarf& dwarf, const Die* type, bool keep_aliases,
                      const TypeSpeller& named) {
  if (!type) return "void";
  const auto inner = [&] { return spellType(dwarf, dwarf.at(type->type), keep_aliases, named); };
  const auto glued = [](const std::string& text, const std::string& suffix) {
    const bool glue = !text.empty() && (text.back() == '*' || text.back() == '&');
    return text + (glue ? "" : " ") + suffix;
  };
  switch (type->tag) {
    case kTagBase:
      return baseName(type->name);
    case kTagTypedef:
      return keep_aliases ? named(type) : inner();
    case kTagPointer:
      return glued(inner(), "*");
    case kTagReference:
      return glued(inner(), "&");
    case kTagRvalueReference:
      return glued(inner(), "&&");
    case kTagConst:
    case kTagVolatile: {
      const std::string word = type->tag == kTagConst ? "const" : "volatile";
      const std::string text = inner();
      return text.back() == '*' ? text + word : word + ' ' + text;
    }
    case kTagArray: {
      if (type->vector) {  // as both compilers take it in a template's argument
        const std::string size = std::to_string(vectorSize(type));
        return "__attribute__((vector_size(" + size + " * sizeof(" + inner() + ")))) " + inner();
      }
      std::string out = inner() + ' ';
      for (const Die* child : type->children) {
        if (child->tag != kTagSubrange) continue;
        out += '[' + (child->has_array_size ? std::to_string(child->array_size) : "") + ']';
      }
      return out;
    }
    case kTagSubroutineType:
      return inner() + " ()";
    case kTagPointerToMember:
      return inner() + " ::*";
    default:
      return named(type);
  }
}

}  // namespace

const Die* strip(const Dwarf& dwarf, const Die* type) {
  while (type &&
         (type->tag == kTagTypedef || type->tag == kTagConst || type->tag == kTagVolatile)) {
    type = dwarf.at(type->type);
  }
  return type;
}

bool isClass(const Die* die) { return die && (die->tag == kTagClass || die->tag == kTagStructure); }

std::string qualifiedName(const Dwarf& dwarf, const Die* die) {
  const Die* named = declarationOf(dwarf, die);
  std::string out = isScope(named->parent) ? qualifiedName(dwarf, named->parent) : "";
  const std::string own = ownName(named);
  return out.empty() || own.empty() ? out + own : out + "::" + own;
}

std::vector<const Die*> templateArguments(const Die* class_die) {
  std::vector<const Die*> out;
  for (const Die* child : class_die->children) {
    if (child->tag == kTagTemplateType || child->tag == kTagTemplateValue) out.push_back(child);
    if (child->tag == kTagParameterPack) {
      const auto pack = templateArguments(child);
      out.insert(out.end(), pack.begin(), pack.end());
    }
  }
  return out;
}

std::string poplarName(const Dwarf& dwarf, const Die* type) {
  const TypeSpeller speller = [&](const Die* t) { return poplarName(dwarf, t); };
  const ValueSpeller value = [&](const Die* t, const Die* v) { return poplarValue(dwarf, t, v); };
  const Die* stripped = strip(dwarf, type);
  const std::string vector = stripped ? deviceVectorName(dwarf, stripped) : "";
  if (!vector.empty()) return vector;
  return spellType(dwarf, type, false,
                   [&](const Die* t) { return spellNamed(dwarf, t, ",", speller, value); });
}

std::string sourceName(const Dwarf& dwarf, const Die* type) {
  const TypeSpeller speller = [&](const Die* t) { return sourceName(dwarf, t); };
  const ValueSpeller value = [&](const Die* t, const Die* v) { return sourceValue(dwarf, t, v); };
  return spellType(dwarf, type, false, [&](const Die* t) {
    for (const Die* scope = declarationOf(dwarf, t)->parent; isScope(scope);
         scope = scope->parent) {
      if (scope->tag != kTagNamespace && !isClass(scope)) {
        throw std::runtime_error("popc: expected '" + qualifiedName(dwarf, t) +
                                 "' in a namespace or a class, got one local to a function");
      }
    }
    return "::" + spellNamed(dwarf, t, ", ", speller, value);
  });
}

namespace {

// The name of a nameless type by the typedef next to it.
std::string aliasName(const Die* type) {
  for (const Die* d : type->parent->children) {
    if (d->tag == kTagTypedef && d->type == type->offset) return d->name;
  }
  return "(anonymous type)";
}

}  // namespace

std::string writtenName(const Dwarf& dwarf, const Die* type) {
  const TypeSpeller speller = [&](const Die* t) { return writtenName(dwarf, t); };
  const ValueSpeller value = [&](const Die* t, const Die* v) { return poplarValue(dwarf, t, v); };
  return spellType(dwarf, type, true, [&](const Die* t) {
    const std::string name = spellNamed(dwarf, t, ", ", speller, value);
    return name.empty() ? aliasName(t) : name;
  });
}

}  // namespace popc
