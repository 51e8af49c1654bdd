#include "elementwise/map_program.hpp"

#include <cstring>
#include <poputil/exceptions.hpp>
#include <sstream>

#include "codelets/map_code.hpp"
#include "elementwise/op_names.hpp"

namespace popops {

using expr::BinaryOpType;
using expr::Expr;
using expr::TernaryOpType;
using expr::UnaryOpType;
using map_code::Do;
using map_code::Kind;
using poplar::Type;
using poputil::poplibs_error;

namespace {

constexpr Type kUnknown;  // of an expression of constants alone, before its user is known

struct KindOfType {
  Type type;
  Kind kind;
  unsigned bytes;
};

const KindOfType kKinds[] = {
    {poplar::BOOL, Kind::BOOL, 1},
    {poplar::CHAR, Kind::SIGNED_CHAR, 1},
    {poplar::SIGNED_CHAR, Kind::SIGNED_CHAR, 1},
    {poplar::UNSIGNED_CHAR, Kind::UNSIGNED_CHAR, 1},
    {poplar::SHORT, Kind::SHORT, 2},
    {poplar::UNSIGNED_SHORT, Kind::UNSIGNED_SHORT, 2},
    {poplar::INT, Kind::INT, 4},
    {poplar::UNSIGNED_INT, Kind::UNSIGNED_INT, 4},
    {poplar::LONG, Kind::LONGLONG, 8},
    {poplar::UNSIGNED_LONG, Kind::UNSIGNED_LONGLONG, 8},
    {poplar::LONGLONG, Kind::LONGLONG, 8},
    {poplar::UNSIGNED_LONGLONG, Kind::UNSIGNED_LONGLONG, 8},
    {poplar::HALF, Kind::HALF, 2},
    {poplar::FLOAT, Kind::FLOAT, 4},
};

const KindOfType& kindOf(Type type) {
  for (const KindOfType& k : kKinds) {
    if (k.type == type) return k;
  }
  throw poplibs_error("map: expected tensors of numbers or bools, got type " + type.toString());
}

bool isFloating(Type t) { return t == poplar::FLOAT || t == poplar::HALF; }

// Of a width that the registers of Map have too: operations that see the top bits need it.
bool isWord(Type t) { return !isFloating(t) && kindOf(t).bytes >= 4; }

bool givesBool(UnaryOpType op) {
  return op == UnaryOpType::IS_FINITE || op == UnaryOpType::IS_INF || op == UnaryOpType::IS_NAN ||
         op == UnaryOpType::LOGICAL_NOT;
}

bool isComparison(BinaryOpType op) {
  switch (op) {
    case BinaryOpType::EQUAL:
    case BinaryOpType::NOT_EQUAL:
    case BinaryOpType::GREATER_THAN:
    case BinaryOpType::GREATER_THAN_EQUAL:
    case BinaryOpType::LESS_THAN:
    case BinaryOpType::LESS_THAN_EQUAL:
      return true;
    default:
      return false;
  }
}

bool isLogical(BinaryOpType op) {
  return op == BinaryOpType::LOGICAL_AND || op == BinaryOpType::LOGICAL_OR;
}

bool isDefined(UnaryOpType op, Type t) {
  switch (op) {
    case UnaryOpType::LOGICAL_NOT:
      return t == poplar::BOOL;
    case UnaryOpType::ABSOLUTE:
    case UnaryOpType::NEGATE:
    case UnaryOpType::RELU:
    case UnaryOpType::SIGNUM:
    case UnaryOpType::SQUARE:
      return t != poplar::BOOL;
    case UnaryOpType::BITWISE_NOT:
      return t != poplar::BOOL && !isFloating(t);
    case UnaryOpType::POPCOUNT:
    case UnaryOpType::COUNT_LEADING_ZEROS:
      return isWord(t);
    default:
      return isFloating(t);
  }
}

bool isDefined(BinaryOpType op, Type t) {
  switch (op) {
    case BinaryOpType::LOGICAL_AND:
    case BinaryOpType::LOGICAL_OR:
      return t == poplar::BOOL;
    case BinaryOpType::ADD:
    case BinaryOpType::SUBTRACT:
    case BinaryOpType::MULTIPLY:
    case BinaryOpType::DIVIDE:
    case BinaryOpType::REMAINDER:
    case BinaryOpType::MAXIMUM:
    case BinaryOpType::MINIMUM:
      return t != poplar::BOOL;
    case BinaryOpType::BITWISE_AND:
    case BinaryOpType::BITWISE_OR:
    case BinaryOpType::BITWISE_XOR:
      return !isFloating(t);
    case BinaryOpType::BITWISE_XNOR:
    case BinaryOpType::SHIFT_LEFT:
    case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
      return t != poplar::BOOL && !isFloating(t);
    case BinaryOpType::SHIFT_RIGHT:
      return isWord(t);
    default:
      return isComparison(op) || isFloating(t);
  }
}

class Writer {
 public:
  Writer(const std::vector<Type>& types, const char* operation)
      : types_(types), operation_(operation) {}

  // The type that `e` has by itself; kUnknown where only constants decide.
  Type typeOf(const Expr& e) const {
    if (const auto* p = e.getAs<expr::PlaceHolder>()) return placeHolderType(*p);
    if (const auto* c = e.getAs<expr::Cast>()) return c->getRHSType();
    if (const auto* u = e.getAs<expr::UnaryOp>()) {
      return givesBool(u->getOpType()) ? poplar::BOOL : typeOf(u->getArg());
    }
    if (const auto* b = e.getAs<expr::BinaryOp>()) {
      if (isComparison(b->getOpType()) || isLogical(b->getOpType())) return poplar::BOOL;
      return common(e, typeOf(b->getLHS()), typeOf(b->getRHS()));
    }
    if (const auto* t = e.getAs<expr::TernaryOp>()) {
      const Type first = common(e, typeOf(t->getArg0()), typeOf(t->getArg1()));
      if (t->getOpType() == TernaryOpType::SELECT) return first;
      return common(e, first, typeOf(t->getArg2()));
    }
    return kUnknown;
  }

  // Appends what pushes the value of `e`, computed in `type` (where it has none by itself).
  Type write(const Expr& e, Type wanted) {
    if (const auto* p = e.getAs<expr::PlaceHolder>()) return writeLoad(*p);
    if (const auto* c = e.getAs<expr::Const>()) return writeConstant(*c, wanted);
    if (const auto* c = e.getAs<expr::Cast>()) {
      const Type from = write(c->getLHS(), kUnknown), to = c->getRHSType();
      const KindOfType& k = kindOf(to);
      if (from != to) add(Do::CAST, 0, k.kind, static_cast<unsigned>(kindOf(from).kind));
      return to;
    }
    if (const auto* u = e.getAs<expr::UnaryOp>()) return writeUnary(*u, wanted);
    if (const auto* b = e.getAs<expr::BinaryOp>()) return writeBinary(*b, wanted);
    return writeTernary(*e.getAs<expr::TernaryOp>(), wanted);
  }

  MapProgram program{{}, {}, 0, kUnknown};

 private:
  [[noreturn]] void fail(const Expr& e, const std::string& expected) const {
    std::ostringstream text;
    text << operation_ << ": expression " << e << ": " << expected;
    for (size_t i = 0; i < types_.size(); ++i) {
      text << (i == 0 ? ", with _" : ", _") << i + 1 << " " << types_[i];
    }
    throw poplibs_error(text.str());
  }

  Type common(const Expr& e, Type a, Type b) const {
    if (a == kUnknown) return b;
    if (b != kUnknown && a != b) {
      fail(e, "expected operands of one type, got " + a.toString() + " and " + b.toString());
    }
    return a;
  }

  // The type to compute in, where the operands may be constants alone.
  Type resolve(const Expr& e, Type t, Type wanted) const {
    if (t != kUnknown) return t;
    if (wanted != kUnknown) return wanted;
    if (const auto* c = e.getAs<expr::Const>()) return c->getType();
    if (const auto* u = e.getAs<expr::UnaryOp>()) return resolve(u->getArg(), t, wanted);
    if (const auto* b = e.getAs<expr::BinaryOp>()) return resolve(b->getLHS(), t, wanted);
    return resolve(e.getAs<expr::TernaryOp>()->getArg0(), t, wanted);
  }

  Type placeHolderType(const expr::PlaceHolder& p) const {
    if (p.getIndex() == 0 || p.getIndex() > types_.size()) {
      fail(p, "expected a placeholder of _1 to _" + std::to_string(types_.size()));
    }
    return types_[p.getIndex() - 1];
  }

  void add(Do op, unsigned detail, Kind kind, unsigned other) {
    program.code.push_back(map_code::word(op, detail, kind, other));
  }

  void push(const Expr& e) {
    if (++depth_ > map_code::kMaxDepth) {
      fail(e, "expected at most " + std::to_string(map_code::kMaxDepth) +
                  " values waiting for an operation");
    }
  }

  Type writeLoad(const expr::PlaceHolder& p) {
    const Type type = placeHolderType(p);
    const unsigned i = p.getIndex() - 1;
    const KindOfType& k = kindOf(type);
    unsigned at = 0;  // among the inputs of this size
    size_t known = 0;
    for (; known < program.inputs.size() && program.inputs[known] != i; ++known) {
      at += kindOf(types_[program.inputs[known]]).bytes == k.bytes;
    }
    if (known == program.inputs.size()) program.inputs.push_back(i);
    push(p);
    add(Do::LOAD, k.bytes, k.kind, at);
    return type;
  }

  Type writeConstant(const expr::Const& c, Type wanted) {
    const Type type = wanted == kUnknown ? c.getType() : wanted;
    if (c.isFloating() && !isFloating(type)) {
      fail(c, "expected a constant of type " + type.toString() + ", got a floating-point one");
    }
    std::uint64_t bits =
        type == poplar::BOOL ? c.getDataAsDouble() != 0 : c.getDataForUnsignedIntegral();
    if (isFloating(type)) {
      float value = static_cast<float>(c.getDataAsDouble());
      if (type == poplar::HALF) value = poplar::IeeeHalf(value);
      bits = 0;
      std::memcpy(&bits, &value, sizeof value);
    }
    push(c);
    add(Do::CONSTANT, 0, kindOf(type).kind, 0);
    program.code.push_back(static_cast<unsigned>(bits));
    program.code.push_back(static_cast<unsigned>(bits >> 32));
    return type;
  }

  Type writeUnary(const expr::UnaryOp& u, Type wanted) {
    const UnaryOpType op = u.getOpType();
    const bool to_bool = givesBool(op);
    const Type type =
        write(u.getArg(), resolve(u.getArg(), typeOf(u.getArg()), to_bool ? kUnknown : wanted));
    if (!isDefined(op, type)) {
      fail(u, std::string("operation ") + opName(op) + " is not defined for " + type.toString());
    }
    add(Do::UNARY, static_cast<unsigned>(op), kindOf(type).kind, to_bool);
    return to_bool ? poplar::BOOL : type;
  }

  Type writeBinary(const expr::BinaryOp& b, Type wanted) {
    const BinaryOpType op = b.getOpType();
    const bool to_bool = isComparison(op) || isLogical(op);
    const Type of_operands = common(b, typeOf(b.getLHS()), typeOf(b.getRHS()));
    const Type type = isLogical(op) && of_operands == kUnknown
                          ? poplar::BOOL
                          : resolve(b.getLHS(), of_operands, to_bool ? kUnknown : wanted);
    if (!isDefined(op, type)) {
      fail(b, std::string("operation ") + opName(op) + " is not defined for " + type.toString());
    }
    write(b.getLHS(), type);
    write(b.getRHS(), type);
    add(Do::BINARY, static_cast<unsigned>(op), kindOf(type).kind, to_bool);
    --depth_;
    return to_bool ? poplar::BOOL : type;
  }

  Type writeTernary(const expr::TernaryOp& t, Type wanted) {
    const bool select = t.getOpType() == TernaryOpType::SELECT;
    const Type type = resolve(t.getArg0(), typeOf(t), wanted);
    if (select) {
      const Type condition = typeOf(t.getArg2());
      if (condition != kUnknown && condition != poplar::BOOL) {
        fail(t, "expected a condition of type bool, got " + condition.toString());
      }
    }
    write(t.getArg0(), type);
    write(t.getArg1(), type);
    write(t.getArg2(), select ? Type(poplar::BOOL) : type);
    add(select ? Do::SELECT : Do::CLAMP, 0, kindOf(type).kind, 0);
    depth_ -= 2;
    return type;
  }

  const std::vector<Type>& types_;
  const char* operation_;
  unsigned depth_ = 0;
};

}  // namespace

MapProgram makeMapProgram(const Expr& e, const std::vector<Type>& types, const char* operation) {
  Writer writer(types, operation);
  const Type type = writer.write(e, kUnknown);
  writer.program.type = type;
  writer.program.kind = static_cast<unsigned>(kindOf(type).kind);
  return std::move(writer.program);
}

const char* mapInputField(Type type) {
  switch (kindOf(type).bytes) {
    case 1:
      return "in8";
    case 2:
      return "in16";
    case 4:
      return "in32";
    default:
      return "in64";
  }
}

Type sizeType(Type type) {
  if (type == poplar::QUARTER) return poplar::UNSIGNED_CHAR;
  switch (kindOf(type).bytes) {
    case 1:
      return poplar::UNSIGNED_CHAR;
    case 2:
      return poplar::UNSIGNED_SHORT;
    case 4:
      return poplar::UNSIGNED_INT;
    default:
      return poplar::UNSIGNED_LONGLONG;
  }
}

poplar::Tensor asBits(const poplar::Tensor& t) { return t.reinterpret(sizeType(t.elementType())); }

}  // namespace popops
