# Target pld_hardening: what compiler and linker offer against memory errors, for our own binaries; never exported.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)
add_library(pld_hardening INTERFACE)

foreach(flag -fstack-protector-strong -fcf-protection)
  string(MAKE_C_IDENTIFIER "PLD_HAS${flag}" has)
  check_cxx_compiler_flag(${flag} ${has})
  if(${has})
    target_compile_options(pld_hardening INTERFACE ${flag})
  endif()
endforeach()

# FORTIFY needs optimisation, and hides from sanitizers what they look for.
check_cxx_compiler_flag("-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -Werror" PLD_HAS_FORTIFY_3)
if(PLD_HAS_FORTIFY_3)
  set(fortify 3)
else()
  set(fortify 2)
endif()
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND NOT PLD_FUZZ)
  target_compile_options(pld_hardening INTERFACE
                         "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify}>")
endif()

check_linker_flag(CXX "-Wl,-z,relro,-z,now" PLD_HAS_FULL_RELRO)
if(PLD_HAS_FULL_RELRO)
  target_link_options(pld_hardening INTERFACE "-Wl,-z,relro,-z,now")
endif()

# Executables at an address of their own each time, and with them the library. Where the compiler does that by itself its
# own code for it is left to it: it is faster than that of shared libraries, which CMake would ask for.
check_pie_supported(LANGUAGES CXX)
check_cxx_source_compiles("#ifndef __PIE__\n#error\n#endif\nint main() {}" PLD_PIE_BY_DEFAULT)
if(NOT PLD_PIE_BY_DEFAULT)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set_target_properties(pld PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
