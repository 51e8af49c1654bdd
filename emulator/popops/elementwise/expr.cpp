#include <cstring>
#include <popops/Expr.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

#include "elementwise/op_names.hpp"

namespace popops {
namespace expr {

namespace {

// An operation with its arguments: NAME(a, b), or each argument on a line of its own.
void printCall(std::ostream& out, const std::string& name, std::initializer_list<const Expr*> args,
               unsigned indent, bool prettyPrint) {
  if (prettyPrint) out << std::string(indent, ' ');
  out << name << '(';
  const char* separator = "";
  for (const Expr* arg : args) {
    out << separator << (prettyPrint ? "\n" : "");
    arg->print(out, indent + 2, prettyPrint);
    separator = prettyPrint ? "," : ", ";
  }
  out << ')';
}

void printLeaf(std::ostream& out, const std::string& text, unsigned indent, bool prettyPrint) {
  out << (prettyPrint ? std::string(indent, ' ') : "") << text;
}

template <class T>
T load(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

// An integer of the host, sign extended where it has a sign.
std::uint64_t integer(const char* data, const poplar::TypeTraits& traits) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, data, traits.size);  // the host stores the low byte first
  const unsigned unused = 64 - 8 * static_cast<unsigned>(traits.size);
  if (!traits.isSigned || unused == 0) return bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

Expr::~Expr() = default;

std::string Expr::name(const std::vector<poplar::Tensor>& inputs) const {
  std::ostringstream out;
  out.precision(17);
  print(out, 0, false);
  for (const poplar::Tensor& t : inputs) out << ',' << t.elementType();
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const Expr& e) {
  e.print(out, 0, false);
  return out;
}

bool deepEquals(const Expr& a, const Expr& b) { return a.deepEquals(b); }

Const::Const(poplar::TypeTraits traits, poplar::Type type, const char* data)
    : traits_(traits), type_(type), floating_(traits.isFloat), double_(0), bits_(0) {
  if (!traits.isSimple || traits.size > sizeof(data_)) {
    throw poputil::poplibs_error("Const: expected the traits of a number, got those of " +
                                 std::to_string(traits.size) + " bytes");
  }
  std::memcpy(data_, data, traits.size);
  if (!floating_) {
    bits_ = integer(data, traits);
    double_ = traits.isSigned ? static_cast<double>(static_cast<std::int64_t>(bits_))
                              : static_cast<double>(bits_);
    return;
  }
  double_ = traits.size == 8   ? load<double>(data)
            : traits.size == 4 ? load<float>(data)
                               : poplar::detail::halfToFloat(load<std::uint16_t>(data));
  bits_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(double_));
}

std::string Const::printValue() const {
  std::ostringstream out;
  if (floating_) {
    out << double_;
  } else {
    out << static_cast<std::int64_t>(bits_);
  }
  return out.str();
}

bool Const::deepEquals(const Expr& other) const {
  const Const* o = other.getAs<Const>();
  return o && o->type_ == type_ && o->double_ == double_ && o->bits_ == bits_;
}

void Const::print(std::ostream& out, unsigned indent, bool prettyPrint) const {
  printLeaf(out, "Const(" + printValue() + ")", indent, prettyPrint);
}

bool Cast::deepEquals(const Expr& other) const {
  const Cast* o = other.getAs<Cast>();
  return o && o->type_ == type_ && getLHS().deepEquals(o->getLHS());
}

void Cast::print(std::ostream& out, unsigned indent, bool prettyPrint) const {
  printCall(out, "Cast<" + type_.toString() + ">", {&getLHS()}, indent, prettyPrint);
}

bool PlaceHolder::deepEquals(const Expr& other) const {
  const PlaceHolder* o = other.getAs<PlaceHolder>();
  return o && o->index_ == index_;
}

void PlaceHolder::print(std::ostream& out, unsigned indent, bool prettyPrint) const {
  printLeaf(out, "_" + std::to_string(index_), indent, prettyPrint);
}

bool UnaryOp::deepEquals(const Expr& other) const {
  const UnaryOp* o = other.getAs<UnaryOp>();
  return o && o->type_ == type_ && getArg().deepEquals(o->getArg());
}

void UnaryOp::print(std::ostream& out, unsigned indent, bool prettyPrint) const {
  printCall(out, opName(type_), {&getArg()}, indent, prettyPrint);
}

bool BinaryOp::deepEquals(const Expr& other) const {
  const BinaryOp* o = other.getAs<BinaryOp>();
  return o && o->type_ == type_ && getLHS().deepEquals(o->getLHS()) &&
         getRHS().deepEquals(o->getRHS());
}

void BinaryOp::print(std::ostream& out, unsigned indent, bool prettyPrint) const {
  printCall(out, opName(type_), {&getLHS(), &getRHS()}, indent, prettyPrint);
}

bool TernaryOp::deepEquals(const Expr& other) const {
  const TernaryOp* o = other.getAs<TernaryOp>();
  return o && o->type_ == type_ && getArg0().deepEquals(o->getArg0()) &&
         getArg1().deepEquals(o->getArg1()) && getArg2().deepEquals(o->getArg2());
}

void TernaryOp::print(std::ostream& out, unsigned indent, bool prettyPrint) const {
  printCall(out, type_ == TernaryOpType::SELECT ? "SELECT" : "CLAMP",
            {&getArg0(), &getArg1(), &getArg2()}, indent, prettyPrint);
}

}  // namespace expr
}  // namespace popops
