#ifndef popart_vertex_hpp
#define popart_vertex_hpp

#include <string>

namespace popart {

enum class PathToLoss { Yes, No, Undefined };
enum class PathFromLoss { Yes, No, Undefined };
enum class ScheduledPreLoss { Yes, No, Undefined };

/// A node of PopART's graph: an Op or a Tensor.
class Vertex {
 public:
  Vertex() = default;
  virtual ~Vertex() = default;
  Vertex(const Vertex&) {}
  Vertex& operator=(const Vertex&) = delete;

  PathToLoss toLoss{PathToLoss::Undefined};
  PathFromLoss fromLoss{PathFromLoss::Undefined};
  ScheduledPreLoss scheduledPreLoss{ScheduledPreLoss::Undefined};

  virtual std::string str() const = 0;
};

}  // namespace popart

#endif  // popart_vertex_hpp
