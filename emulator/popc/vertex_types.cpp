#include "vertex_types.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "type_names.hpp"

namespace popc {
namespace {

class Finder {
 public:
  Finder(const Dwarf& dwarf, std::vector<std::string>& errors) : dwarf_(dwarf), errors_(errors) {}

  void visit(const Die* scope) {
    for (const Die* die : scope->children) {
      if (isClass(die) && !die->declaration) visitClass(die);
      if (isClass(die) || die->tag == kTagNamespace || die->tag == kTagSubprogram) visit(die);
    }
  }

  std::vector<VertexType> take() { return std::move(types_); }

 private:
  void visitClass(const Die* die) {
    popc_vertex_kind kind;
    if (!vertexKind(die, kind)) return;
    std::vector<const Die*> computes;
    collectComputes(die, computes);
    if (computes.empty()) return;
    VertexType vertex;
    vertex.name = poplarName(dwarf_, die);
    if (!seen_.insert(vertex.name).second) return;
    vertex.source_name = sourceName(dwarf_, die);
    vertex.kind = kind;
    vertex.size = die->byte_size;
    checkCompute(vertex, computes);
    addFields(die, 0, vertex);
    types_.push_back(std::move(vertex));
  }

  // Whether a class derives from a vertex class of poplar, and from which.
  bool vertexKind(const Die* die, popc_vertex_kind& kind) const {
    for (const Die* child : die->children) {
      if (child->tag != kTagInheritance) continue;
      const Die* base = strip(dwarf_, dwarf_.at(child->type));
      const std::string name = qualifiedName(dwarf_, base);
      if (name == "poplar::MultiVertex") {
        kind = POPC_MULTI_VERTEX;
      } else if (name == "poplar::SupervisorVertex") {
        kind = POPC_SUPERVISOR_VERTEX;
      } else if (name == "poplar::Vertex") {
        kind = POPC_VERTEX;
      } else if (!vertexKind(base, kind)) {
        continue;
      }
      return true;
    }
    return false;
  }

  // The class's own compute() functions, else those of its bases.
  void collectComputes(const Die* die, std::vector<const Die*>& out) const {
    for (const Die* child : die->children) {
      if (child->tag == kTagSubprogram && child->name && std::string(child->name) == "compute") {
        out.push_back(child);
      }
    }
    if (!out.empty()) return;
    for (const Die* child : die->children) {
      if (child->tag == kTagInheritance) {
        collectComputes(strip(dwarf_, dwarf_.at(child->type)), out);
      }
    }
  }

  void checkCompute(const VertexType& vertex, const std::vector<const Die*>& computes) {
    const long expected = vertex.kind == POPC_MULTI_VERTEX ? 1 : 0;
    const auto fits = [&](const Die* compute) {
      return expected == std::count_if(compute->children.begin(), compute->children.end(),
                                       [](const Die* child) {
                                         return child->tag == kTagParameter && !child->artificial;
                                       });
    };
    if (std::none_of(computes.begin(), computes.end(), fits)) {
      errors_.push_back("Vertex '" + vertex.name + "' has no fitting compute function: expected " +
                        (expected ? "compute(unsigned workerId)" : "compute()"));
    }
  }

  void addFields(const Die* die, uint64_t offset, VertexType& vertex) {
    for (const Die* child : die->children) {
      if (child->tag == kTagInheritance) {
        if (child->virtuality) {
          errors_.push_back("Vertex '" + vertex.name + "' has a virtual base class");
          continue;
        }
        addFields(strip(dwarf_, dwarf_.at(child->type)), offset + child->member_offset, vertex);
      }
      if (child->tag == kTagMember && child->artificial) {
        errors_.push_back("Vertex '" + vertex.name + "' has virtual functions");
      } else if (child->tag == kTagMember && child->has_member_offset) {
        addField(child, offset, vertex);  // a static member has no offset
      } else if (child->tag == kTagMember && child->bit_size) {
        unsupported(vertex, child, dwarf_.at(child->type));
      }
    }
  }

  void addField(const Die* member, uint64_t offset, VertexType& vertex) {
    const Die* written = dwarf_.at(member->type);
    const Die* type = strip(dwarf_, written);
    Field field;
    field.name = member->name ? member->name : "";
    field.offset = offset + member->member_offset;
    field.size = type->byte_size;
    const Die* culprit = member->bit_size ? written : classify(written, field);
    if (culprit) {
      unsupported(vertex, member, culprit);
    } else {
      vertex.fields.push_back(field);
    }
  }

  void unsupported(const VertexType& vertex, const Die* member, const Die* type) {
    errors_.push_back("Field '" + vertex.name + '.' + (member->name ? member->name : "") +
                      "' has unsupported field type '" + writtenName(dwarf_, type) + '\'');
  }

  // Fills in what kind of field this is; the type to blame where it is none, else nullptr.
  const Die* classify(const Die* written, Field& field) const {
    const Die* type = strip(dwarf_, written);
    if (isEdge(type, field.direction)) return classifyEdge(type, field);
    field.direction = POPC_STATE;
    if (!isNamed(type, "poplar::Vector")) return readScalar(type, field) ? nullptr : written;

    const Die* element = argument(type, 0);
    if (isEdge(element, field.direction)) {
      field.shape = POPC_EDGE_VECTOR;
      field.outer_layout = value(type, 1);
      Field row;
      if (classifyEdge(element, row) || row.shape == POPC_VECTOR_LIST) return written;
      field.type = row.type;
      field.row_shape = row.shape;
      field.layout = row.layout;
      field.min_align = row.min_align;
      field.interleaved = row.interleaved;
      return nullptr;
    }
    return readVector(type, field) ? nullptr : written;
  }

  const Die* classifyEdge(const Die* edge, Field& field) const {
    const Die* target = argument(edge, 0);
    const Die* as_written = written(edge, 0);
    if (isNamed(target, "poplar::Vector")) return readVector(target, field) ? nullptr : as_written;
    if (isNamed(target, "poplar::VectorList")) {
      const bool ok = readVector(target, field);
      field.shape = POPC_VECTOR_LIST;
      return ok ? nullptr : as_written;
    }
    return readScalar(target, field) ? nullptr : as_written;
  }

  bool readVector(const Die* vector, Field& field) const {
    field.shape = POPC_VECTOR;
    const bool ok = readScalar(argument(vector, 0), field);
    field.layout = value(vector, 1);
    field.min_align = value(vector, 2);
    field.interleaved = value(vector, 3);
    return ok;
  }

  // A scalar type of Poplar; its natural alignment is its size.
  bool readScalar(const Die* type, Field& field) const {
    static const std::set<std::string> allowed = {
        "bool",      "char",  "unsigned char", "signed char",       "short",
        "int",       "long",  "unsigned int",  "unsigned long",     "unsigned short",
        "long long", "float", "half",          "unsigned long long"};
    if (!type || !(type->tag == kTagBase || isNamed(type, "half"))) return false;
    field.type = poplarName(dwarf_, type);
    field.min_align = static_cast<uint32_t>(type->byte_size);
    return allowed.count(field.type) != 0;
  }

  bool isEdge(const Die* type, popc_direction& direction) const {
    if (isNamed(type, "poplar::Input")) {
      direction = POPC_INPUT;
    } else if (isNamed(type, "poplar::Output")) {
      direction = POPC_OUTPUT;
    } else if (isNamed(type, "poplar::InOut")) {
      direction = POPC_INOUT;
    } else {
      return false;
    }
    return true;
  }

  bool isNamed(const Die* type, const char* name) const {
    return isClass(type) && qualifiedName(dwarf_, type) == name;
  }

  // Template argument i as it was written.
  const Die* written(const Die* type, size_t i) const {
    return dwarf_.at(templateArgument(type, i)->type);
  }

  const Die* argument(const Die* type, size_t i) const { return strip(dwarf_, written(type, i)); }

  uint32_t value(const Die* type, size_t i) const {
    return static_cast<uint32_t>(templateArgument(type, i)->const_value);
  }

  const Die* templateArgument(const Die* type, size_t i) const {
    const auto all = templateArguments(type);
    if (i < all.size()) return all[i];
    throw std::runtime_error("popc: expected the compiler to describe the type '" +
                             writtenName(dwarf_, type) +
                             "' of a vertex field in full, got an incomplete type");
  }

  const Dwarf& dwarf_;
  std::vector<std::string>& errors_;
  std::set<std::string> seen_;
  std::vector<VertexType> types_;
};

}  // namespace

std::vector<VertexType> findVertexTypes(const Dwarf& dwarf, std::vector<std::string>& errors) {
  Finder finder(dwarf, errors);
  for (const Die* unit : dwarf.units()) finder.visit(unit);
  return finder.take();
}

}  // namespace popc
