// Spells the types of the debug information: as Poplar names them, as C++ source names them, and
// as they were written, for messages.
#pragma once
#include <string>
#include <vector>

#include "dwarf.hpp"

namespace popc {

// Follows typedef, const and volatile. nullptr for void.
const Die* strip(const Dwarf& dwarf, const Die* type);

bool isClass(const Die* die);  // class or struct

// Without template arguments: "poplar::Vector". Anonymous namespaces leave no trace in it.
std::string qualifiedName(const Dwarf& dwarf, const Die* die);

// The template arguments of a class, packs expanded.
std::vector<const Die*> templateArguments(const Die* class_die);

// "ns::X<float,4,true,ns::E::A>": no space after a comma, no suffixes, enumerators by name.
std::string poplarName(const Dwarf& dwarf, const Die* type);

// Names the same type in C++ source, from the global namespace: "::ns::X<float, 4, ...>". Throws
// std::runtime_error for a type that source cannot name.
std::string sourceName(const Dwarf& dwarf, const Die* type);

// As clang prints it, with aliases: "unsigned int [100]", "char *", "MyStruct".
std::string writtenName(const Dwarf& dwarf, const Die* type);

}  // namespace popc
