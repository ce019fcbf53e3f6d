# hone_module(NAME base SOURCES a.cc b.cc DEPS async PRIVATE_DEPS PkgConfig::x TESTS a_test.cc)
# makes the library `hone_base`, which an installed hone offers as `hone::base`, and, where there are
# tests, the program `hone_base_tests`. DEPS without a namespace are folders of this project.

find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
find_package(rapidcheck REQUIRED)

add_library(hone_options INTERFACE)
target_include_directories(hone_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(hone_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Structs with defaults are meant to be given a few of their fields.
  target_compile_options(hone_options INTERFACE -Wno-missing-designated-field-initializers)
  target_link_options(hone_options INTERFACE -fuse-ld=lld)
else()
  # g++ 12 warns of dangling, uninitialised and wrongly deleted objects inside coroutine frames that
  # are neither, and of what the test macros expand to.
  target_compile_options(hone_options INTERFACE -Wno-dangling-pointer -Wno-maybe-uninitialized
                                                -Wno-mismatched-new-delete -Wno-dangling-else
                                                -Wno-shadow -Wno-missing-field-initializers)
endif()
if(HONE_WERROR)
  target_compile_options(hone_options INTERFACE -Werror)
endif()
if(HONE_SANITIZE)
  target_compile_options(hone_options INTERFACE -fsanitize=${HONE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(hone_options INTERFACE -fsanitize=${HONE_SANITIZE})
endif()

function(hone_targets out)
  set(targets)
  foreach(dep IN LISTS ARGN)
    if(dep MATCHES "::" OR TARGET ${dep})
      list(APPEND targets ${dep})
    else()
      list(APPEND targets hone_${dep})
    endif()
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

function(hone_test)
  cmake_parse_arguments(ARG "" "NAME;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  hone_targets(deps ${ARG_DEPS})
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  # Tests compile in half the time, and what they test is as fast as it is.
  target_compile_options(${ARG_NAME} PRIVATE $<$<CONFIG:Release>:-O0>)
  target_link_libraries(${ARG_NAME} PRIVATE hone_options ${deps} rapidcheck GTest::gtest
                        GTest::gtest_main)
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_NAME} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(HONE_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 10")
  endif()
  set_tests_properties(${ARG_NAME} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()

# Headers that are for the tests, or need what is not installed, stay here.
function(hone_install_module name)
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  list(FILTER headers EXCLUDE REGEX "/([a-z_]*testing|fake_server|local_chat)\\.h$")
  install(FILES ${headers} DESTINATION "include/hone/${name}")
  install(TARGETS hone_${name} EXPORT hone ARCHIVE DESTINATION lib)
  set_target_properties(hone_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY HONE_MODULES ${name})
endfunction()

function(hone_module)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;DEPS;PRIVATE_DEPS;TESTS;TEST_DEPS" ${ARGN})
  hone_targets(deps ${ARG_DEPS})
  hone_targets(private_deps ${ARG_PRIVATE_DEPS})
  hone_targets(test_deps ${ARG_TEST_DEPS})
  add_library(hone_${ARG_NAME} STATIC ${ARG_SOURCES})
  add_library(hone::${ARG_NAME} ALIAS hone_${ARG_NAME})
  target_link_libraries(hone_${ARG_NAME} PUBLIC ${deps}
                        PRIVATE $<BUILD_INTERFACE:hone_options> ${private_deps})
  target_include_directories(hone_${ARG_NAME} PUBLIC "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>"
                             $<INSTALL_INTERFACE:include>)
  target_compile_features(hone_${ARG_NAME} INTERFACE cxx_std_20)
  hone_install_module(${ARG_NAME})
  if(ARG_TESTS)
    hone_test(NAME hone_${ARG_NAME}_tests SOURCES ${ARG_TESTS}
              DEPS hone_${ARG_NAME} ${private_deps} ${test_deps})
  endif()
endfunction()
