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

PiecePtr both(PiecePtr a, PiecePtr b) {
  if (!a || !b) return a ? a : b;
  return std::make_shared<BothPieces>(std::move(a), std::move(b));
}

}  // namespace pld
