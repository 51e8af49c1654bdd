#ifndef poputil_TensorMetaData_hpp
#define poputil_TensorMetaData_hpp

#include <memory>

namespace poputil {

/// What a library keeps with a tensor: a class of the library's own, which copies itself.
class TensorMetaDataBase {
 public:
  virtual ~TensorMetaDataBase();
  virtual std::unique_ptr<TensorMetaDataBase> clone() const = 0;
};

class TensorMetaData {
 public:
  TensorMetaData();
  TensorMetaData(const TensorMetaData& other);
  TensorMetaData(TensorMetaData&& other);
  TensorMetaData& operator=(const TensorMetaData& other);
  TensorMetaData& operator=(TensorMetaData&& other);
  TensorMetaData(std::unique_ptr<TensorMetaDataBase> data);
  ~TensorMetaData();
  const TensorMetaDataBase* getData() const { return data_.get(); }

 private:
  std::unique_ptr<TensorMetaDataBase> data_;
};

}  // namespace poputil

#endif  // poputil_TensorMetaData_hpp
