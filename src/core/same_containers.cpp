#include "pld/core/same_containers.hpp"

namespace pld {

#ifdef _GLIBCXX_DEBUG
void library_compiled_with_GLIBCXX_DEBUG() {}
#else
void library_compiled_without_GLIBCXX_DEBUG() {}
#endif

}  // namespace pld
