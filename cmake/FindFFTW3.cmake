# Debian's FFTW ships no CMake config. Targets: FFTW3::fftw3 (double), FFTW3::fftw3l (long double), each with the part of
# FFTW that makes planning safe beside other threads.
find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_LIBRARY fftw3)
find_library(FFTW3_LONG_LIBRARY fftw3l)
find_library(FFTW3_THREADS_LIBRARY fftw3_threads)
find_library(FFTW3_LONG_THREADS_LIBRARY fftw3l_threads)
find_package(Threads REQUIRED)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3 REQUIRED_VARS FFTW3_LIBRARY FFTW3_LONG_LIBRARY FFTW3_THREADS_LIBRARY
                                                      FFTW3_LONG_THREADS_LIBRARY FFTW3_INCLUDE_DIR)
foreach(trio "fftw3;${FFTW3_LIBRARY};${FFTW3_THREADS_LIBRARY}"
             "fftw3l;${FFTW3_LONG_LIBRARY};${FFTW3_LONG_THREADS_LIBRARY}")
  list(GET trio 0 target)
  list(GET trio 1 library)
  list(GET trio 2 threads)
  if(FFTW3_FOUND AND NOT TARGET FFTW3::${target})
    add_library(FFTW3::${target} UNKNOWN IMPORTED)
    set_target_properties(FFTW3::${target} PROPERTIES IMPORTED_LOCATION "${threads}"
                                                      INTERFACE_INCLUDE_DIRECTORIES "${FFTW3_INCLUDE_DIR}"
                                                      INTERFACE_LINK_LIBRARIES "${library};Threads::Threads")
  endif()
endforeach()
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_LIBRARY FFTW3_LONG_LIBRARY FFTW3_THREADS_LIBRARY FFTW3_LONG_THREADS_LIBRARY)
