// popart::any for C++11: a value of any type that copies.
#ifndef popart_vendored_any_hpp
#define popart_vendored_any_hpp

#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace popart {

class bad_any_cast : public std::bad_cast {
 public:
  const char* what() const noexcept override {
    return "any_cast: expected the type of the value, got another";
  }
};

class any {
 public:
  any() {}
  template <class T, class = typename std::enable_if<
                         !std::is_same<typename std::decay<T>::type, any>::value>::type>
  any(T&& value)
      : holder_(std::make_shared<Holder<typename std::decay<T>::type>>(std::forward<T>(value))) {}

  bool has_value() const { return holder_ != nullptr; }
  bool empty() const { return holder_ == nullptr; }
  const std::type_info& type() const { return holder_ ? holder_->type() : typeid(void); }

  template <class T>
  const T* get() const {
    return type() == typeid(T) ? &static_cast<const Holder<T>&>(*holder_).value : nullptr;
  }

 private:
  struct Base {
    virtual ~Base() {}
    virtual const std::type_info& type() const = 0;
  };
  template <class T>
  struct Holder : Base {
    explicit Holder(T v) : value(std::move(v)) {}
    const std::type_info& type() const override { return typeid(T); }
    T value;
  };
  std::shared_ptr<const Base> holder_;
};

template <class T>
T any_cast(const any& value) {
  using Plain = typename std::decay<T>::type;
  const Plain* plain = value.get<Plain>();
  if (plain == nullptr) throw bad_any_cast();
  return *plain;
}

}  // namespace popart

#endif  // popart_vendored_any_hpp
