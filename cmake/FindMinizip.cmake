# Finds minizip, which reads zip files: the target Minizip::minizip. Also part of the installed
# package, whose static libraries need it.
include(FindPackageHandleStandardArgs)
find_package(ZLIB QUIET)
find_path(MINIZIP_INCLUDE_DIR minizip/unzip.h)
# Debian's static library: one file less to load at every start.
find_library(MINIZIP_LIBRARY NAMES libminizip.a minizip)
mark_as_advanced(MINIZIP_INCLUDE_DIR MINIZIP_LIBRARY)
find_package_handle_standard_args(Minizip
  REQUIRED_VARS MINIZIP_LIBRARY MINIZIP_INCLUDE_DIR ZLIB_FOUND)
if(Minizip_FOUND AND NOT TARGET Minizip::minizip)
  add_library(Minizip::minizip INTERFACE IMPORTED GLOBAL)
  target_include_directories(Minizip::minizip INTERFACE "${MINIZIP_INCLUDE_DIR}")
  target_link_libraries(Minizip::minizip INTERFACE "${MINIZIP_LIBRARY}" ZLIB::ZLIB ${CMAKE_DL_LIBS})
endif()
