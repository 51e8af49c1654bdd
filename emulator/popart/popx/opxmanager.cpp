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
  const auto found = factories().find(op->opid);
  return found == factories().end() ? nullptr : found->second(op, devicex);
}

}  // namespace popx
}  // namespace popart
