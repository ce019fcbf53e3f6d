# What `cmake --install` and `cpack` make of a build: the command, and a library that other projects
# find by find_package(hone). The tree works wherever it is moved to (tests/consumer).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Everything: hone::hone.
get_property(modules GLOBAL PROPERTY HONE_MODULES)
add_library(hone_all INTERFACE)
add_library(hone::hone ALIAS hone_all)
set_target_properties(hone_all PROPERTIES EXPORT_NAME hone)
foreach(module IN LISTS modules)
  target_link_libraries(hone_all INTERFACE hone_${module})
endforeach()
install(TARGETS hone_all EXPORT hone)

set(package lib/cmake/hone)
install(EXPORT hone NAMESPACE hone:: FILE honeTargets.cmake DESTINATION ${package})
configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/honeConfig.cmake.in" honeConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(honeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/honeConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/honeConfigVersion.cmake"
              "${CMAKE_SOURCE_DIR}/cmake/FindMinizip.cmake" DESTINATION ${package})
install(FILES LICENSE NOTICE README.md CHANGELOG.md DESTINATION share/doc/hone)

# cpack --config build/CPackConfig.cmake
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME hone)
set(CPACK_PACKAGE_VENDOR hone)
set(CPACK_PACKAGE_FILE_NAME
    "hone-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}")
set(CPACK_THREADS 0)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
