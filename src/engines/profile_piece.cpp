#include "engines/profile_piece.hpp"

#include <utility>

#include "core/intersection.hpp"

namespace pld {
namespace {

class BothPieces final : public ProfilePiece {
 public:
  BothPieces(PiecePtr a, PiecePtr b) : a_(std::move(a)), b_(std::move(b)) {}
  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    const ProfileBracket a = a_->at(epsilon), b = b_->at(epsilon);
    return {intersection(a.log_delta, b.log_delta), intersection(a.log_complement, b.log_complement)};
  }

 private:
  PiecePtr a_, b_;
};

}  // namespace

PiecePtr both(PiecePtr a, PiecePtr b) {
  if (!a || !b) return a ? a : b;
  return std::make_shared<BothPieces>(std::move(a), std::move(b));
}

}  // namespace pld
