#include "wrapper.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>

#include "codelet_abi_text.hpp"

namespace popc {
namespace {

constexpr const char* kClangMacro = "popc_made_by_clang";

// The fundamental functions of a unit. compute() is named with its class, so that no virtual call
// is made: vertex objects are never constructed. Worker 0 comes last: it is the one that waits for
// the others where a codelet has workers wait.
constexpr const char* kRunThunks = R"(
namespace {
template <class V>
void popc_run(char* first, size_t count) {
  for (char* p = first; count != 0; --count, p += popc_object<V>::size) {
    popc_object<V>::enter(p, 0);
    (void)reinterpret_cast<V*>(p)->V::compute();
  }
}
template <class V>
void popc_run_worker(char* vertex, unsigned worker) {
  popc_object<V>::enter(vertex, worker);
  (void)reinterpret_cast<V*>(vertex)->V::compute(worker);
}
template <class V>
void popc_run_workers(char* first, size_t count) {
  for (char* p = first; count != 0; --count, p += popc_object<V>::size) {
    for (unsigned worker = 6; worker-- != 0;) popc_run_worker<V>(p, worker);
  }
}
}
)";

// An object as the runtime lays it out: the vertex, and behind it what its worker is asked for.
constexpr const char* kObject = R"(
namespace {
template <class V>
struct popc_object {
  static constexpr size_t size = sizeof(V), align = alignof(V), context = 0;
  static void enter(char*, unsigned) {}
};
}
)";
constexpr const char* kObjectOfWorker = R"(
namespace {
template <class V>
struct popc_object {
  struct Whole { V vertex; poplar::detail::VertexContext context; };
  static constexpr size_t size = sizeof(Whole), align = alignof(Whole);
  static constexpr size_t context = (sizeof(V) + 7) / 8 * 8;
  static void enter(char* vertex, unsigned number) {
    poplar::detail::Worker& worker = poplar::detail::worker;
    worker.vertex = vertex;
    worker.context = reinterpret_cast<poplar::detail::VertexContext*>(vertex + context);
    worker.number = number;
  }
};
}
)";

std::string tableName(size_t unit) { return "popc_vertices_" + std::to_string(unit); }

std::string lineMarker() { return "\n# 1 \"popc-generated\"\n"; }

}  // namespace

std::string compilerMarks() {
  return std::string("#ifdef __clang__\ntypedef int ") + kClangMacro +
         ";\n#else\n"
         "#define __builtin_assume(x) ((x) ? (void)0 : __builtin_unreachable())\n"
         "#endif\n";
}

std::string prelude(bool for_ipu) {
  return (for_ipu ? "#include <ipu_builtins.h>\n" : std::string()) + kCodeletAbiText +
         compilerMarks();
}

bool madeByClang(const std::string& text) { return text.find(kClangMacro) != std::string::npos; }

bool wantsClang(const std::string& text) {
  return !madeByClang(text) && text.find("ext_vector_type") != std::string::npos;
}

void stripSupervisorTarget(std::string& text) {
  static const std::string word = "target";
  const auto skipSpace = [&](size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    return at;
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    for (const char* token : {"(", "\"supervisor\"", ")"}) {
      if (end == std::string::npos) break;
      end = skipSpace(end);
      const size_t length = std::strlen(token);
      end = text.compare(end, length, token) == 0 ? end + length : std::string::npos;
    }
    if (end == std::string::npos) continue;
    std::replace_if(text.begin() + at, text.begin() + end, [](char c) { return c != '\n'; }, ' ');
    text.replace(at, word.size(), "unused");
  }
}

bool usesWorker(const std::string& text, const std::string& own_text) {
  if (text.find("struct VertexContext") == std::string::npos) return false;
  return own_text.find("__builtin_ipu_") != std::string::npos ||
         own_text.find("ipu::") != std::string::npos;
}

std::string unitTail(size_t unit, const std::vector<VertexType>& types, bool uses_worker) {
  std::ostringstream out;
  out << lineMarker() << (uses_worker ? kObjectOfWorker : kObject) << kRunThunks;
  for (size_t i = 0; i < types.size(); ++i) {
    const VertexType& type = types[i];
    out << "static_assert(sizeof(" << type.source_name << ") == " << type.size
        << ", \"popc read another size from the debug information\");\n";
    if (type.fields.empty()) continue;
    out << "static const popc_field popc_fields_" << i << "[] = {\n";
    for (const Field& f : type.fields) {
      out << "  {\"" << f.name << "\", \"" << f.type << "\", " << f.direction << ", " << f.shape
          << ", " << f.row_shape << ", " << f.layout << ", " << f.outer_layout << ", "
          << f.min_align << ", " << f.interleaved << ", " << f.offset << ", " << f.size << "},\n";
    }
    out << "};\n";
  }
  if (types.empty()) return out.str();
  out << "extern \"C\" {\nextern const popc_vertex " << tableName(unit) << "[];\n"
      << "const popc_vertex " << tableName(unit) << "[] = {\n";
  for (size_t i = 0; i < types.size(); ++i) {
    const VertexType& type = types[i];
    const bool workers = type.kind == POPC_MULTI_VERTEX;
    const std::string object = "popc_object< " + type.source_name + ">::";
    out << "  {\"" << type.name << "\", " << type.kind << ", " << type.fields.size() << ", "
        << (type.fields.empty() ? "nullptr" : "popc_fields_" + std::to_string(i)) << ", " << object
        << "size, " << object << "align, " << (workers ? "popc_run_workers< " : "popc_run< ")
        << type.source_name << ">, "
        << (workers ? "popc_run_worker< " + type.source_name + '>' : "nullptr") << ", " << object
        << "context},\n";
  }
  out << "};\n}\n";
  return out.str();
}

std::string libraryTail(const std::vector<size_t>& types_per_unit) {
  std::ostringstream declarations, elements;
  size_t total = 0;
  for (size_t unit = 0; unit < types_per_unit.size(); ++unit) {
    if (types_per_unit[unit] == 0) continue;
    declarations << "extern \"C\" const popc_vertex " << tableName(unit) << "[];\n";
    for (size_t i = 0; i < types_per_unit[unit]; ++i) {
      elements << (total++ ? ", " : "") << tableName(unit) << '[' << i << ']';
    }
  }
  std::ostringstream out;
  out << lineMarker() << declarations.str() << "namespace {\nstruct popc_table {\n";
  if (total) out << "  popc_vertex vertices[" << total << "];\n";
  out << "  popc_library library;\n  popc_table() : ";
  if (total) out << "vertices{" << elements.str() << "}, ";
  out << "library{3, " << total << ", " << (total ? "vertices" : "nullptr") << "} {}\n"
      << "} const popc_the_table;\n}\n"
      << "extern \"C\" __attribute__((visibility(\"default\")))\n"
      << "const popc_library* popc_library_v1() { return &popc_the_table.library; }\n";
  return out.str();
}

}  // namespace popc
