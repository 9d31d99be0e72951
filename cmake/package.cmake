# `cpack -G DEB` in the build folder, as soon as the command is built: pld (the command, its manual page and completions) and
# libpld-dev (the library, its headers, CMake's and pkg-config's files).
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pld RENAME copyright COMPONENT pld)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libpld-dev RENAME copyright
        COMPONENT libpld-dev)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL pld libpld-dev)
set(CPACK_PACKAGE_CONTACT "The pld authors <pld@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PLD_PACKAGE_NAME pld)
set(CPACK_DEBIAN_PLD_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PLD_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PLD_PACKAGE_RECOMMENDS gnuplot-nox)  # pictures
set(CPACK_DEBIAN_LIBPLD-DEV_PACKAGE_NAME libpld-dev)
set(CPACK_DEBIAN_LIBPLD-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBPLD-DEV_PACKAGE_DEPENDS "libfftw3-dev, libsqlite3-dev, libsodium-dev")
include(CPack)
