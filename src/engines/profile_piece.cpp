#include "engines/profile_piece.hpp"

#include <utility>

#include "core/intersection.hpp"

namespace pld {
namespace {

class BothPieces final : public ProfilePiece {
 public:
  BothPieces(PiecePtr a, PiecePtr b) : a_(std::move(a)), b_(std::move(b)) {}
  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    return intersection(a_->at(epsilon), b_->at(epsilon));
  }
  [[nodiscard]] double centre() const override { return a_->centre(); }
  [[nodiscard]] std::size_t size() const override { return a_->size() + b_->size(); }

 private:
  PiecePtr a_, b_;
};

}  // namespace

ProfileBracket reading(const ProfilePiece& piece, double epsilon) {
  constexpr double largest_read = 1e300;
  ProfileBracket found = piece.at(epsilon);
  if (epsilon > largest_read)
    found.log_delta = intersection(found.log_delta, at_most(piece.at(largest_read).log_delta.upper));
  return found;
}

PiecePtr both(PiecePtr a, PiecePtr b) {
  if (!a || !b) return a ? a : b;
  return std::make_shared<BothPieces>(std::move(a), std::move(b));
}

}  // namespace pld
