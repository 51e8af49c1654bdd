#ifndef popart_boollogic_hpp
#define popart_boollogic_hpp

#include <iosfwd>
#include <map>
#include <popart/emulator/absent.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {
namespace boollogic {

enum class Type { Not = 0, And, Or, Var, True, False };

inline std::ostream& operator<<(std::ostream&, const Type&) {
  emulator::missing("popart::boollogic::operator<<");
}

class Term {
 public:
  Term(std::string) { emulator::missing("popart::boollogic::Term"); }
  Term(bool) { emulator::missing("popart::boollogic::Term"); }
  static Term trueTerm() { emulator::missing("popart::boollogic::Term::trueTerm"); }
  static Term falseTerm() { emulator::missing("popart::boollogic::Term::falseTerm"); }
  static Term varTerm(const std::string&) { emulator::missing("popart::boollogic::Term::varTerm"); }
  static Term notTerm(Term) { emulator::missing("popart::boollogic::Term::notTerm"); }
  static Term andTerm(const std::set<Term>&) {
    emulator::missing("popart::boollogic::Term::andTerm");
  }
  static Term orTerm(const std::set<Term>&) {
    emulator::missing("popart::boollogic::Term::orTerm");
  }
  static Term andTermFromVector(const std::vector<Term>&) {
    emulator::missing("popart::boollogic::Term::andTermFromVector");
  }
  static Term orTermFromVector(const std::vector<Term>&) {
    emulator::missing("popart::boollogic::Term::orTermFromVector");
  }
  Type getType() const { emulator::missing("popart::boollogic::Term::getType"); }
  const std::set<Term>& getTerms() const { emulator::missing("popart::boollogic::Term::getTerms"); }
  std::vector<Term> getTermsAsVector() const {
    emulator::missing("popart::boollogic::Term::getTermsAsVector");
  }
  std::string getVar() const { emulator::missing("popart::boollogic::Term::getVar"); }
  Term pushNots() const { emulator::missing("popart::boollogic::Term::pushNots"); }
  Term flatten() const { emulator::missing("popart::boollogic::Term::flatten"); }
  Term getCNF() const { emulator::missing("popart::boollogic::Term::getCNF"); }
  Term getDNF() const { emulator::missing("popart::boollogic::Term::getDNF"); }
  Term distribute(Type) const { emulator::missing("popart::boollogic::Term::distribute"); }
  Term operator&&(const Term&) const { emulator::missing("popart::boollogic::Term::operator&&"); }
  Term operator||(const Term&) const { emulator::missing("popart::boollogic::Term::operator||"); }
  Term operator!() const { emulator::missing("popart::boollogic::Term::operator!"); }
  bool operator==(const Term&) const { emulator::missing("popart::boollogic::Term::operator=="); }
  bool operator<(const Term&) const { emulator::missing("popart::boollogic::Term::operator<"); }
  std::string str() const { emulator::missing("popart::boollogic::Term::str"); }
  Term replace(const std::map<std::string, Term>&) const {
    emulator::missing("popart::boollogic::Term::replace");
  }
  bool evaluate(const std::map<std::string, bool>&) const {
    emulator::missing("popart::boollogic::Term::evaluate");
  }
};

inline std::ostream& operator<<(std::ostream&, const Term&) {
  emulator::missing("popart::boollogic::operator<<");
}

}  // namespace boollogic
}  // namespace popart

#endif  // popart_boollogic_hpp
