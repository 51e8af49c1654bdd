#ifndef popart_bwdgraphinfo_hpp
#define popart_bwdgraphinfo_hpp

#include <map>
#include <ostream>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <vector>

namespace popart {

enum class ExpectedConnectionType { Fwd = 0, FwdGrad = 1 };

struct ExpectedConnection {
  TensorId fwdId;
  ExpectedConnectionType type;
  bool operator==(const ExpectedConnection&) const {
    emulator::missing("popart::ExpectedConnection::operator==");
  }
};

using ExpectedConnections = std::vector<ExpectedConnection>;

struct BwdGraphInfo {
  GraphId bwdGraphId;
  ExpectedConnections expectedInputs;
  ExpectedConnections expectedOutputs;
  bool operator==(const BwdGraphInfo&) const {
    emulator::missing("popart::BwdGraphInfo::operator==");
  }
};

using FwdGraphToBwdGraphInfo = std::map<GraphId, BwdGraphInfo>;

inline std::ostream& operator<<(std::ostream&, ExpectedConnectionType) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const ExpectedConnection&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const ExpectedConnections&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const BwdGraphInfo&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const FwdGraphToBwdGraphInfo&) {
  emulator::missing("popart::operator<<");
}

}  // namespace popart

#endif  // popart_bwdgraphinfo_hpp
