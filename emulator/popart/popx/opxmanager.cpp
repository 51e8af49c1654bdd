#include <map>
#include <popart/popx/opxmanager.hpp>

namespace popart {
namespace popx {

namespace {

std::map<OperatorIdentifier, OpxManager::OpxFactoryFunc>& factories() {
  static std::map<OperatorIdentifier, OpxManager::OpxFactoryFunc> all;
  return all;
}

}  // namespace

void OpxManager::registerOpx(const OperatorIdentifier& opid, OpxFactoryFunc factory) {
  factories().emplace(opid, std::move(factory));
}

std::unique_ptr<Opx> OpxManager::createOpx(Op* op, Devicex* devicex) {
  const auto entry = factories().find(op->opid);
  return entry == factories().end() ? nullptr : entry->second(op, devicex);
}

}  // namespace popx
}  // namespace popart
