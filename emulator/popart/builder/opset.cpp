// What the methods of all opsets share.
#include <popart/builder.hpp>
#include <popart/domainopset.hpp>
#include <popart/error.hpp>
#include <popart/opmanager.hpp>

namespace popart {

namespace {

std::string nameOf(const OpDomain& domain, const char* method) {
  return (domain == Domain::ai_graphcore ? "aiGraphcore." : "aiOnnx.") + std::string(method);
}

}  // namespace

std::vector<TensorId> DomainOpSet::call(const OperatorIdentifier& opid, const char* method,
                                        const std::vector<TensorId>& args, unsigned numOutputs,
                                        const std::vector<emulator::GivenAttribute>& attributes,
                                        const DebugContext& debugContext) {
  const int version = static_cast<int>(opid.version);
  if (OpManager::getOpVersionFromOpSet(opid.domain, opid.type, version) != opid.version) {
    throw error("{}: expected an operator that the emulation has in C++, got {}",
                nameOf(opid.domain, method), opid);
  }
  std::map<std::string, any> given;
  for (const emulator::GivenAttribute& attribute : attributes)
    if (attribute.given) given[attribute.name] = attribute.value;
  return builder_.customOp(opid, version, args, numOutputs, given, debugContext);
}

TensorId DomainOpSet::addConstant(const ConstVoidData& data, const DebugContext& debugContext) {
  return builder_.addConstant(data, debugContext);
}

void DomainOpSet::absent(const char* method) {
  throw error("{}: expected an operator that the emulation has in C++, got another", method);
}

}  // namespace popart
