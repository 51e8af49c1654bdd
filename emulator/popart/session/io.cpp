// Input and output of a step.
#include <algorithm>
#include <cctype>
#include <popart/dataflow.hpp>
#include <popart/error.hpp>
#include <popart/stepio.hpp>

namespace popart {

StepIO::StepIO(std::map<TensorId, IArray&> inputs, std::map<TensorId, IArray&> outputs) {
  for (auto& input : inputs) inputs_[input.first] = {&input.second, 0};
  for (auto& output : outputs) outputs_[output.first] = {&output.second, 0};
}

MutableVoidData StepIO::at(std::map<TensorId, Cursor>& cursors, const TensorId& id,
                           std::int64_t numElements, const char* what) {
  const auto entry = cursors.find(id);
  if (entry == cursors.end())
    throw error("StepIO: expected an array for {} '{}', got none", what, id);
  Cursor& cursor = entry->second;
  const std::size_t n = static_cast<std::size_t>(numElements);
  const std::size_t size = cursor.array->nelms();
  if (size < n || (n == 0 ? size != 0 : size % n != 0))
    throw error("StepIO: {} '{}': expected a multiple of {} elements, got {}", what, id, n, size);
  if (cursor.next == size) cursor.next = 0;  // the next step
  const DataTypeInfo& type = getDataTypeInfoMap().at(cursor.array->dataType());
  char* data = static_cast<char*>(cursor.array->data()) +
               cursor.next * static_cast<std::size_t>(type.nbytes());
  return MutableVoidData(data, TensorInfo(type.type(), {numElements}));
}

ConstVoidData StepIO::in(TensorId id, std::int64_t numElements, bool, const bool) {
  const MutableVoidData data = at(inputs_, id, numElements, "input");
  return ConstVoidData(data.data, data.info);
}

void StepIO::inComplete(TensorId id, std::int64_t numElements, const bool) {
  inputs_.at(id).next += static_cast<std::size_t>(numElements);
}

MutableVoidData StepIO::out(TensorId id, std::int64_t numElements) {
  const MutableVoidData data = at(outputs_, id, numElements, "anchor");
  outputs_.at(id).next += static_cast<std::size_t>(numElements);
  return data;
}

AnchorReturnType::AnchorReturnType(std::string name, int returnPeriod)
    : name_(std::move(name)), period_(returnPeriod) {
  std::string upper = name_;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (upper == "FINAL") {
    id_ = AnchorReturnTypeId::Final;
  } else if (upper == "ALL") {
    id_ = AnchorReturnTypeId::All;
  } else if (upper == "SUM") {
    id_ = AnchorReturnTypeId::Sum;
  } else if (upper == "EVERYN" && returnPeriod > 0) {
    id_ = AnchorReturnTypeId::EveryN;
  } else {
    throw error("AnchorReturnType: expected Final, All, Sum or EveryN with a period, got '{}'",
                name_);
  }
}

namespace {

AnchorReturnTypeMap allOf(const std::vector<TensorId>& ids, const AnchorReturnType& type) {
  AnchorReturnTypeMap out;
  for (const TensorId& id : ids) out[id] = type;
  return out;
}

}  // namespace

DataFlow::DataFlow(int batchesPerStep, const AnchorReturnTypeMap& anchors)
    : batchesPerStep_(batchesPerStep), anchors_(anchors) {
  if (batchesPerStep < 1)
    throw error("DataFlow: batchesPerStep: expected at least 1, got {}", batchesPerStep);
  for (const auto& anchor : anchors_)
    if (anchor.second.id() == AnchorReturnTypeId::EveryN &&
        batchesPerStep % anchor.second.rp() != 0)
      throw error("DataFlow: '{}': expected a period that divides {}, got {}", anchor.first,
                  batchesPerStep, anchor.second.rp());
}

DataFlow::DataFlow(int batchesPerStep, const std::vector<TensorId> anchorIds,
                   const AnchorReturnType& type)
    : DataFlow(batchesPerStep, allOf(anchorIds, type)) {}

std::vector<TensorId> DataFlow::anchors() const {
  std::vector<TensorId> out;
  for (const auto& anchor : anchors_) out.push_back(anchor.first);
  return out;
}

int DataFlow::numOutFetches(const TensorId& id) const {
  const AnchorReturnType type = art(id);
  if (type.id() == AnchorReturnTypeId::All) return batchesPerStep_;
  if (type.id() == AnchorReturnTypeId::EveryN) return batchesPerStep_ / type.rp();
  return 1;
}

}  // namespace popart
