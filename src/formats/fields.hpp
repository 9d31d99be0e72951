#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pld/formats/read_error.hpp"
#include "pld/mechanisms/registry.hpp"

namespace pld {

/// The type with that name; null where there is none.
const MechanismType* find_mechanism_type(const std::string& name);

/// The registered type of that name. Throws ReadError naming those there are.
const MechanismType& mechanism_type(const std::string& name, const std::string& where);

/// What text or JSON may say of a mechanism of that type, in the order in which it is listed to a person.
std::vector<std::string> keys_in_text(const MechanismType& type);

/// Those of them that take a name.
std::vector<std::string> text_words();

/// The key that another word for it stands for: count for steps, sigma for the noise multiplier of Gaussian noise of
/// sensitivity 1; otherwise the key itself.
std::string plain_key(const MechanismType& type, const std::string& key);

/// batch / dataset, the least double that is not below it: a larger share gives away more. Throws ReadError unless both
/// are whole numbers, 0 <= batch <= dataset, dataset >= 1.
double share_of(double batch, double dataset, const std::string& where);

/// A number or, as 256/50000, the least double that is not below a quotient of whole numbers up to 1e15. Throws
/// ReadError.
double share_from_text(std::string_view text, const std::string& where, const std::string& what);

/// "a, b, c"
std::string listed(const std::vector<std::string>& names);

/// The error for a name that is none of those accepted; it tells the one that was likely meant.
ReadError not_one_of(const std::string& where, const std::string& what, const std::string& given,
                     const std::vector<std::string>& accepted);

}  // namespace pld
