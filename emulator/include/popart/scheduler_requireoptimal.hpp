#ifndef popart_scheduler_requireoptimal_hpp
#define popart_scheduler_requireoptimal_hpp

namespace popart {

enum class RequireOptimalSchedule { Yes = true, No = false };

}  // namespace popart

#endif  // popart_scheduler_requireoptimal_hpp
