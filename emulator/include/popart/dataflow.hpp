#ifndef popart_dataflow_hpp
#define popart_dataflow_hpp

#include <map>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

/// Which batches of a step the host gets of a tensor.
enum class AnchorReturnTypeId { Final = 0, EveryN, All, Sum };

class AnchorReturnType {
 public:
  AnchorReturnType() : AnchorReturnType("All") {}
  /// "Final", "All", "Sum" or, with a period, "EveryN"; case does not matter. Throws `error` for
  /// another name.
  AnchorReturnType(std::string name, int returnPeriod = 0);
  AnchorReturnTypeId id() const { return id_; }
  int rp() const { return period_; }
  const std::string& str() const { return name_; }

 private:
  std::string name_;
  AnchorReturnTypeId id_;
  int period_;
};

using AnchorReturnTypeMap = std::map<TensorId, AnchorReturnType>;

/// How many batches a step has, and the tensors that the host gets.
class DataFlow {
 public:
  DataFlow() : DataFlow(1) {}
  explicit DataFlow(int batchesPerStep) : batchesPerStep_(batchesPerStep) {}
  /// Throw `error` for fewer batches than one, and where a period does not divide their number.
  DataFlow(int batchesPerStep, const AnchorReturnTypeMap& anchors);
  DataFlow(int batchesPerStep, const std::vector<TensorId> anchorIds,
           const AnchorReturnType& type = AnchorReturnType("All"));

  bool isAnchored(TensorId id) const { return anchors_.count(id) > 0; }
  std::vector<TensorId> anchors() const;
  int nAnchors() const { return static_cast<int>(anchors_.size()); }
  int batchesPerStep() const { return batchesPerStep_; }
  void setBatchesPerStep(int n) { batchesPerStep_ = n; }
  AnchorReturnType art(TensorId id) const { return anchors_.at(id); }
  const AnchorReturnTypeMap& getAnchorReturnTypeMap() const { return anchors_; }
  /// Of a step, how often the host gets an anchor.
  int numOutFetches(const TensorId& id) const;

 private:
  int batchesPerStep_;
  AnchorReturnTypeMap anchors_;
};

}  // namespace popart

#endif  // popart_dataflow_hpp
