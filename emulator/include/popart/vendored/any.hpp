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
      : held_(std::make_shared<Held<typename std::decay<T>::type>>(std::forward<T>(value))) {}

  bool has_value() const { return held_ != nullptr; }
  bool empty() const { return held_ == nullptr; }
  const std::type_info& type() const { return held_ ? held_->type() : typeid(void); }

  template <class T>
  const T* get() const {
    return type() == typeid(T) ? &static_cast<const Held<T>&>(*held_).value : nullptr;
  }

 private:
  struct Base {
    virtual ~Base() {}
    virtual const std::type_info& type() const = 0;
  };
  template <class T>
  struct Held : Base {
    explicit Held(T v) : value(std::move(v)) {}
    const std::type_info& type() const override { return typeid(T); }
    T value;
  };
  std::shared_ptr<const Base> held_;
};

template <class T>
T any_cast(const any& value) {
  using Plain = typename std::decay<T>::type;
  const Plain* held = value.get<Plain>();
  if (held == nullptr) throw bad_any_cast();
  return *held;
}

}  // namespace popart

#endif  // popart_vendored_any_hpp
