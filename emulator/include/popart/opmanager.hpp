#ifndef popart_opmanager_hpp
#define popart_opmanager_hpp

#include <functional>
#include <map>
#include <memory>
#include <popart/attributes.hpp>
#include <popart/datatype.hpp>
#include <popart/error.hpp>
#include <popart/half.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensordata.hpp>
#include <popart/tensorinfo.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Scope;
class Tensor;

/// The inputs, outputs and attributes that an operator has. The types of a tensor are checked
/// where they are given.
class OpDefinition {
 public:
  using DataTypes = std::vector<DataType>;

  struct Input {
    Input(std::string name_, std::vector<DataType> types, bool constant_ = false)
        : name(std::move(name_)), supportedTensors(std::move(types)), constant(constant_) {}
    std::string name;
    std::vector<DataType> supportedTensors;
    bool constant;
  };
  struct Output {
    Output(std::string name_, std::vector<DataType> types)
        : name(std::move(name_)), supportedTensors(std::move(types)) {}
    std::string name;
    std::vector<DataType> supportedTensors;
  };
  struct Attribute {
    Attribute(std::string regex) : supportedValuesRegex(std::move(regex)) {}
    std::string supportedValuesRegex;
  };
  using Inputs = std::vector<Input>;
  using Outputs = std::vector<Output>;
  using Attributes = std::map<std::string, Attribute>;

  OpDefinition() {}
  OpDefinition(Inputs i, Outputs o, Attributes a)
      : inputs(std::move(i)), outputs(std::move(o)), attributes(std::move(a)) {}

  Inputs inputs;
  Outputs outputs;
  Attributes attributes;
};

using OpDefinitions = std::map<OperatorIdentifier, OpDefinition, OperatorIdentifierLess>;
using OpIdentifierList = std::vector<OperatorIdentifier>;

/// The arguments from which an op is constructed.
class OpCreatorInfo {
 public:
  OpCreatorInfo(const OperatorIdentifier& opid_, const Op::Settings& settings_,
                const Attributes& attributes_, const std::vector<TensorId>& inputIds,
                const std::vector<TensorId>& outputIds)
      : opid(opid_),
        settings(settings_),
        attributes(attributes_),
        inputIds_(inputIds),
        outputIds_(outputIds) {}

  const OperatorIdentifier& opid;
  const Op::Settings& settings;
  const Attributes& attributes;

  bool hasInputIds() const { return !inputIds_.empty(); }
  bool hasOutputIds() const { return !outputIds_.empty(); }
  const std::vector<TensorId>& getInputIds() const { return inputIds_; }
  const std::vector<TensorId>& getOutputIds() const { return outputIds_; }
  bool hasInputTensor(int index) const;
  /// Throw `error` where the input is missing.
  Tensor* getInputTensor(int index) const;
  TensorInfo& getInputTensorInfo(int index) const;
  std::string debugName() const;

 private:
  const std::vector<TensorId>& inputIds_;
  const std::vector<TensorId>& outputIds_;
};

/// The operators that there are.
class OpManager {
 public:
  using OpFactoryFunc = std::function<std::unique_ptr<Op>(const OpCreatorInfo&)>;

  class OpInfo {
   public:
    OpInfo(const OperatorIdentifier& id_, bool isPublic_, const OpDefinition& details_,
           OpFactoryFunc factory)
        : isPublic(isPublic_), id(id_), details(details_), factory_(std::move(factory)) {}
    bool isPublic;
    OperatorIdentifier id;
    OpDefinition details;
    OpFactoryFunc& getSimpleFactory() { return factory_; }

   private:
    OpFactoryFunc factory_;
  };

  /// The first of two registrations of an operator stays.
  static void registerOp(const OpInfo& info);

  /// Null where there is no such operator. The other form takes the newest version up to
  /// `opsetVersion`.
  static std::unique_ptr<Op> createOp(const OperatorIdentifier& opid, Graph& graph,
                                      const std::string& name = "",
                                      const Attributes& attributes = {});
  static std::unique_ptr<Op> createOp(const OpDomain& domain, const OpType& type, int opsetVersion,
                                      Graph& graph, const std::string& name = "",
                                      const Scope& scope = {}, const Attributes& attributes = {},
                                      const std::vector<TensorId>& inputIds = {},
                                      const std::vector<TensorId>& outputIds = {});
  static std::unique_ptr<Op> createOpWithInputs(const OperatorIdentifier& opid, Graph& graph,
                                                const std::string& name,
                                                const Attributes& attributes,
                                                const std::vector<TensorId>& inputIds);

  static const std::vector<OperatorIdentifier> getSupportedOperations(bool includePrivate);
  static const OpDefinitions getSupportedOperationsDefinition(bool includePrivate);
  /// 0 where there is no such operator.
  static OpVersion getOpVersionFromOpSet(const OpDomain& domain, const OpType& type,
                                         int opsetVersion);
  static Attributes getAttributesFromAnyMap(std::map<std::string, popart::any> attributes);

 private:
  static OpManager& instance();
  OpInfo* find(const OpDomain& domain, const OpType& type, int opsetVersion);

  std::map<std::pair<OpDomain, OpType>, std::map<int, OpInfo>> ops_;  // by version
};

/// A static object of this class registers an operator as the library that has it is loaded.
template <class OP>
class OpCreator {
 public:
  OpCreator(const OpDefinitions& definitions, bool isPublic = true) {
    registerAll(
        definitions,
        [](const OpCreatorInfo& info) {
          return std::unique_ptr<Op>(new OP(info.opid, info.settings));
        },
        isPublic);
  }
  OpCreator(const OpDefinitions& definitions, OpManager::OpFactoryFunc factory,
            bool isPublic = true) {
    registerAll(definitions, std::move(factory), isPublic);
  }

 private:
  static void registerAll(const OpDefinitions& definitions, OpManager::OpFactoryFunc factory,
                          bool isPublic) {
    for (const auto& d : definitions)
      OpManager::registerOp(OpManager::OpInfo(d.first, isPublic, d.second, factory));
  }
};

}  // namespace popart

#endif  // popart_opmanager_hpp
