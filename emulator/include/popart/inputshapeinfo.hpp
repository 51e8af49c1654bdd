#ifndef popart_inputshapeinfo_hpp
#define popart_inputshapeinfo_hpp

#include <map>
#include <popart/names.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

/// Types and shapes of inputs that the model does not say.
class InputShapeInfo {
 public:
  void add(TensorId id, const TensorInfo& info) { infos_[id] = info; }
  const TensorInfo& get(TensorId id) const { return infos_.at(id); }
  bool has(TensorId id) const { return infos_.count(id) > 0; }
  const std::map<TensorId, TensorInfo>& getInfos() const { return infos_; }

 private:
  std::map<TensorId, TensorInfo> infos_;
};

}  // namespace popart

#endif  // popart_inputshapeinfo_hpp
