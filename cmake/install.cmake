# `find_package(pld CONFIG)` or `pkg-config pld` after `cmake --install`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME libpld-dev)
set(PLD_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pld)

install(TARGETS pld EXPORT pldTargets FILE_SET HEADERS)
install(EXPORT pldTargets NAMESPACE pld:: DESTINATION ${PLD_CONFIG_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pldConfig.cmake.in ${PROJECT_BINARY_DIR}/pldConfig.cmake
                              INSTALL_DESTINATION ${PLD_CONFIG_DIR})
# Before 1.0 a minor version may break what the one before had.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pldConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pldConfig.cmake ${PROJECT_BINARY_DIR}/pldConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindFFTW3.cmake ${PROJECT_SOURCE_DIR}/cmake/FindSodium.cmake
        DESTINATION ${PLD_CONFIG_DIR})

# Whoever links a static library links what it needs; a shared one has done so.
get_target_property(library pld TYPE)
if(library STREQUAL "STATIC_LIBRARY")
  set(PLD_REQUIRES Requires)
else()
  set(PLD_REQUIRES Requires.private)
endif()
file(RELATIVE_PATH PLD_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})  # wherever it is moved to
configure_file(cmake/pld.pc.in pld.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pld.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
