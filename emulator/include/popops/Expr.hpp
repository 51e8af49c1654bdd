#ifndef popops_Expr_hpp
#define popops_Expr_hpp

#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <popops/ExprOp.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace popops {
namespace expr {

/// An expression of elements: what map() computes at each index.
class Expr {
 public:
  virtual ~Expr();
  // By run-time type: an address that stands for a class is not the same in every library, where
  // one was loaded with names of its own, as Python loads libraries of custom operators.
  template <class T>
  bool isA() const {
    return dynamic_cast<const T*>(this) != nullptr;
  }
  template <class T>
  T* getAs() {
    return isA<T>() ? static_cast<T*>(this) : nullptr;
  }
  template <class T>
  const T* getAs() const {
    return isA<T>() ? static_cast<const T*>(this) : nullptr;
  }
  virtual std::unique_ptr<Expr> clone() const = 0;
  virtual bool deepEquals(const Expr& other) const = 0;
  virtual void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const = 0;
  /// A text that tells the expression on tensors of the types of `inputs` from all others.
  std::string name(const std::vector<poplar::Tensor>& inputs) const;
};

std::ostream& operator<<(std::ostream& out, const Expr& expr);
bool deepEquals(const Expr& a, const Expr& b);

template <class T>
class ExprType : public Expr {};

/// Holds an expression of any class: a value, for lists of expressions.
class Any {
 public:
  Any(const Expr& e) : expr_(e.clone()) {}
  Any(const Any& other) : expr_(other.expr_->clone()) {}
  Any(Any&&) = default;
  Any& operator=(const Any& other) {
    expr_ = other.expr_->clone();
    return *this;
  }
  Any& operator=(Any&&) = default;
  operator Expr&() { return *expr_; }
  operator const Expr&() const { return *expr_; }
  std::string name(const std::vector<poplar::Tensor>& inputs) const { return expr_->name(inputs); }

 private:
  std::unique_ptr<Expr> expr_;
};

/// A constant. Next to an operand that has a type, the constant takes that type.
class Const : public ExprType<Const> {
 public:
  template <class T, class = typename std::enable_if<poplar::TypeTraits::isSimpleType<T>()>::type>
  Const(T x)
      : traits_(poplar::TypeTraits::make<T>()),
        type_(std::is_same<T, double>::value ? poplar::Type(poplar::FLOAT)
                                             : poplar::Type(poplar::emulator::HostType<T>::code)),
        floating_(!std::is_integral<T>::value),
        double_(static_cast<double>(x)),
        bits_(bits(x, std::is_integral<T>())) {
    static_assert(sizeof(T) <= sizeof(data_), "a scalar");
    std::memcpy(data_, &x, sizeof(T));
  }
  /// The constant whose value of the host lies at `data`; the host's value of a HALF is a float.
  Const(poplar::TypeTraits traits, poplar::Type type, const char* data);

  const poplar::Type& getType() const { return type_; }
  const poplar::TypeTraits& getTypeTraits() const { return traits_; }
  /// The value of the host, of the size that the traits tell.
  char* getData() const { return data_; }
  bool isFloating() const { return floating_; }
  double getDataAsDouble() const { return double_; }
  /// An integral constant, sign extended.
  std::uint64_t getDataForUnsignedIntegral() const { return bits_; }
  std::string printValue() const;
  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new Const(*this)); }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const override;

 protected:
  poplar::TypeTraits traits_;
  poplar::Type type_;

 private:
  template <class T>
  static std::uint64_t bits(T x, std::true_type) {
    return static_cast<std::uint64_t>(x);
  }
  template <class T>
  static std::uint64_t bits(T x, std::false_type) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
  }

  bool floating_;
  double double_;
  std::uint64_t bits_;
  mutable char data_[8];
};

class ConstHalf : public Const {
 public:
  ConstHalf(float x) : Const(x) { type_ = poplar::HALF; }
};

inline ConstHalf operator""_half(long double x) { return ConstHalf(static_cast<float>(x)); }

class Cast : public ExprType<Cast> {
 public:
  Cast(const Expr& a, poplar::Type type) : a_(a), type_(type) {}
  const Expr& getLHS() const { return a_; }
  const poplar::Type& getRHSType() const { return type_; }
  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new Cast(*this)); }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  Any a_;
  poplar::Type type_;
};

/// The element of one of the tensors that map() is given, counted from 1.
class PlaceHolder : public ExprType<PlaceHolder> {
 public:
  PlaceHolder(unsigned index) : index_(index) {}
  unsigned getIndex() const { return index_; }
  std::unique_ptr<Expr> clone() const override {
    return std::unique_ptr<Expr>(new PlaceHolder(*this));
  }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  unsigned index_;
};

const PlaceHolder _1(1);
const PlaceHolder _2(2);
const PlaceHolder _3(3);
const PlaceHolder _4(4);
const PlaceHolder _5(5);
const PlaceHolder _6(6);
const PlaceHolder _7(7);
const PlaceHolder _8(8);
const PlaceHolder _9(9);
const PlaceHolder _10(10);
const PlaceHolder _11(11);
const PlaceHolder _12(12);
const PlaceHolder _13(13);
const PlaceHolder _14(14);
const PlaceHolder _15(15);
const PlaceHolder _16(16);
const PlaceHolder _17(17);
const PlaceHolder _18(18);
const PlaceHolder _19(19);
const PlaceHolder _20(20);

class UnaryOp : public ExprType<UnaryOp> {
 public:
  UnaryOp(UnaryOpType type, const Expr& a) : type_(type), a_(a) {}
  UnaryOpType getOpType() const { return type_; }
  const Expr& getArg() const { return a_; }
  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new UnaryOp(*this)); }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  UnaryOpType type_;
  Any a_;
};

class BinaryOp : public ExprType<BinaryOp> {
 public:
  BinaryOp(BinaryOpType type, const Expr& a, const Expr& b) : type_(type), a_(a), b_(b) {}
  BinaryOpType getOpType() const { return type_; }
  const Expr& getLHS() const { return a_; }
  const Expr& getRHS() const { return b_; }
  std::unique_ptr<Expr> clone() const override {
    return std::unique_ptr<Expr>(new BinaryOp(*this));
  }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  BinaryOpType type_;
  Any a_, b_;
};

class TernaryOp : public ExprType<TernaryOp> {
 public:
  TernaryOp(TernaryOpType type, const Expr& a, const Expr& b, const Expr& c)
      : type_(type), a_(a), b_(b), c_(c) {}
  TernaryOpType getOpType() const { return type_; }
  const Expr& getArg0() const { return a_; }
  const Expr& getArg1() const { return b_; }
  const Expr& getArg2() const { return c_; }
  std::unique_ptr<Expr> clone() const override {
    return std::unique_ptr<Expr>(new TernaryOp(*this));
  }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& out, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  TernaryOpType type_;
  Any a_, b_, c_;
};

#define POPOPS_UNARY(NAME, OP)                           \
  class NAME : public UnaryOp {                          \
   public:                                               \
    NAME(const Expr& a) : UnaryOp(UnaryOpType::OP, a) {} \
  }
#define POPOPS_UNARY_SYMBOL(NAME, OP, SYMBOL) \
  POPOPS_UNARY(NAME, OP);                     \
  inline NAME operator SYMBOL(const Expr& a) { return NAME(a); }

POPOPS_UNARY(Abs, ABSOLUTE);
POPOPS_UNARY(Asin, ASIN);
POPOPS_UNARY_SYMBOL(BitwiseNot, BITWISE_NOT, ~)
POPOPS_UNARY(Cbrt, CBRT);
POPOPS_UNARY(Ceil, CEIL);
POPOPS_UNARY(Cos, COS);
POPOPS_UNARY(Erf, ERF);
POPOPS_UNARY(Exp, EXPONENT);
POPOPS_UNARY(Exp2, EXPONENT2);
POPOPS_UNARY(Expm1, EXPONENT_MINUS_ONE);
POPOPS_UNARY(Floor, FLOOR);
POPOPS_UNARY(GeluErf, GELU_ERF);
POPOPS_UNARY(Inv, INVERSE);
POPOPS_UNARY(IsFinite, IS_FINITE);
POPOPS_UNARY(IsInf, IS_INF);
POPOPS_UNARY(IsNaN, IS_NAN);
POPOPS_UNARY(Log, LOGARITHM);
POPOPS_UNARY(Log1p, LOGARITHM_ONE_PLUS);
POPOPS_UNARY(NearbyInt, NEARBY_INT);
POPOPS_UNARY_SYMBOL(Neg, NEGATE, -)
POPOPS_UNARY_SYMBOL(Not, LOGICAL_NOT, !)
POPOPS_UNARY(Round, ROUND);
POPOPS_UNARY(Rsqrt, RSQRT);
POPOPS_UNARY(Sigmoid, SIGMOID);
POPOPS_UNARY(Signum, SIGNUM);
POPOPS_UNARY(Sin, SIN);
POPOPS_UNARY(Sqrt, SQRT);
POPOPS_UNARY(Square, SQUARE);
POPOPS_UNARY(Tan, TAN);
POPOPS_UNARY(Tanh, TANH);
POPOPS_UNARY(Trunc, TRUNC);

#undef POPOPS_UNARY_SYMBOL
#undef POPOPS_UNARY

#define POPOPS_BINARY(NAME, OP)                                              \
  class NAME : public BinaryOp {                                             \
   public:                                                                   \
    NAME(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::OP, a, b) {} \
  }
#define POPOPS_BINARY_SYMBOL(NAME, OP, SYMBOL)                                                \
  POPOPS_BINARY(NAME, OP);                                                                    \
  inline NAME operator SYMBOL(const Expr& a, const Expr& b) { return NAME(a, b); }            \
  template <class T>                                                                          \
  typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), NAME>::type operator SYMBOL( \
      const T& a, const Expr& b) {                                                            \
    return NAME(Const(a), b);                                                                 \
  }                                                                                           \
  template <class T>                                                                          \
  typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), NAME>::type operator SYMBOL( \
      const Expr& a, const T& b) {                                                            \
    return NAME(a, Const(b));                                                                 \
  }

POPOPS_BINARY_SYMBOL(Add, ADD, +)
POPOPS_BINARY_SYMBOL(And, LOGICAL_AND, &&)
POPOPS_BINARY(Atan2, ATAN2);
POPOPS_BINARY_SYMBOL(BitwiseAnd, BITWISE_AND, &)
POPOPS_BINARY_SYMBOL(BitwiseOr, BITWISE_OR, |)
POPOPS_BINARY(BitwiseXnor, BITWISE_XNOR);
POPOPS_BINARY_SYMBOL(BitwiseXor, BITWISE_XOR, ^)
POPOPS_BINARY_SYMBOL(Divide, DIVIDE, /)
POPOPS_BINARY_SYMBOL(Equal, EQUAL, ==)
POPOPS_BINARY_SYMBOL(Gt, GREATER_THAN, >)
POPOPS_BINARY_SYMBOL(Gte, GREATER_THAN_EQUAL, >=)
POPOPS_BINARY(InvStdDevToVariance, INV_STD_DEV_TO_VARIANCE);
POPOPS_BINARY_SYMBOL(Lt, LESS_THAN, <)
POPOPS_BINARY_SYMBOL(Lte, LESS_THAN_EQUAL, <=)
POPOPS_BINARY(Max, MAXIMUM);
POPOPS_BINARY(Min, MINIMUM);
POPOPS_BINARY_SYMBOL(Mul, MULTIPLY, *)
POPOPS_BINARY_SYMBOL(NotEqual, NOT_EQUAL, !=)
POPOPS_BINARY_SYMBOL(Or, LOGICAL_OR, ||)
POPOPS_BINARY(Pow, POWER);
POPOPS_BINARY_SYMBOL(Rem, REMAINDER, %)
POPOPS_BINARY_SYMBOL(Shl, SHIFT_LEFT, <<)
POPOPS_BINARY_SYMBOL(Shr, SHIFT_RIGHT, >>)
POPOPS_BINARY(ShrSE, SHIFT_RIGHT_SIGN_EXTEND);
POPOPS_BINARY_SYMBOL(Sub, SUBTRACT, -)
POPOPS_BINARY(VarianceToInvStdDev, VARIANCE_TO_INV_STD_DEV);

#undef POPOPS_BINARY_SYMBOL
#undef POPOPS_BINARY

/// `a` where `c`, else `b`.
class Select : public TernaryOp {
 public:
  Select(const Expr& a, const Expr& b, const Expr& c) : TernaryOp(TernaryOpType::SELECT, a, b, c) {}
};

/// `a`, not below `b` and not above `c`.
class Clamp : public TernaryOp {
 public:
  Clamp(const Expr& a, const Expr& b, const Expr& c) : TernaryOp(TernaryOpType::CLAMP, a, b, c) {}
};

}  // namespace expr
}  // namespace popops

#endif  // popops_Expr_hpp
