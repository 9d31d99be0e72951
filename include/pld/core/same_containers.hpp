#pragma once

namespace pld {

// With _GLIBCXX_DEBUG the containers of libstdc++ are larger: a program and a library of which one alone has it would
// crash. They do not link: the function that the program's own setting names is not defined.
#ifdef _GLIBCXX_DEBUG
void library_compiled_with_GLIBCXX_DEBUG();
[[gnu::used]] static void (*const library_with_same_containers)() = library_compiled_with_GLIBCXX_DEBUG;
#else
void library_compiled_without_GLIBCXX_DEBUG();
[[gnu::used]] static void (*const library_with_same_containers)() = library_compiled_without_GLIBCXX_DEBUG;
#endif

}  // namespace pld
