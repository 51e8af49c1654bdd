#ifndef popart_graphid_hpp
#define popart_graphid_hpp

#include <ostream>
#include <string>

namespace popart {

class GraphId {
 public:
  GraphId() = delete;
  GraphId(const std::string& id) : id_(id) {}
  bool operator<(const GraphId& other) const { return id_ < other.id_; }
  bool operator==(const GraphId& other) const { return id_ == other.id_; }
  bool operator!=(const GraphId& other) const { return id_ != other.id_; }
  /// Of an Ir's main graph.
  static const GraphId& root();
  const std::string& str() const { return id_; }

 private:
  std::string id_;
};

std::ostream& operator<<(std::ostream& out, const GraphId& id);

}  // namespace popart

#endif  // popart_graphid_hpp
