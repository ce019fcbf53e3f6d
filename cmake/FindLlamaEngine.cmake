# Finds llama.cpp's inference engine, by the ways that HONE_LLAMA allows:
#   system  one that is installed: find_package(llama)
#   npm     the prebuilt one of two npm packages, put into ${CMAKE_BINARY_DIR}/engine
#   source  built here from the source in a crate, for this machine's processor: some minutes, once
#   auto    the first of these that works
#   off     none
# Defines the target LlamaEngine::llama, and LlamaEngine_FOLDER when libraries have to be installed
# along.

set(LlamaEngine_WAY "")
set(LlamaEngine_FOLDER "")
set(LlamaEngine_REASON "HONE_LLAMA is off")

if(HONE_LLAMA MATCHES "^(auto|system)$")
  find_package(llama CONFIG QUIET)
  if(llama_FOUND)
    set(LlamaEngine_WAY "system")
    add_library(LlamaEngine::llama INTERFACE IMPORTED)
    target_link_libraries(LlamaEngine::llama INTERFACE llama)
  else()
    set(LlamaEngine_REASON "no llama.cpp is installed here")
  endif()
endif()

# Lets a script put the engine into ${CMAKE_BINARY_DIR}/engine, unless a way is found already.
function(hone_engine_by way script)
  if(LlamaEngine_WAY OR NOT HONE_LLAMA MATCHES "^(auto|${way})$")
    return()
  endif()
  set(folder "${CMAKE_BINARY_DIR}/engine")
  execute_process(COMMAND "${script}" "${folder}" ${ARGN}
                  RESULT_VARIABLE failed ERROR_VARIABLE reason ERROR_STRIP_TRAILING_WHITESPACE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  if(failed)
    set(LlamaEngine_REASON "${reason}" PARENT_SCOPE)
    return()
  endif()
  file(GLOB libraries "${folder}/libllama.*so" "${folder}/libggml.*so" "${folder}/libggml-base.*so")
  set(includes "${folder}/include")
  if(EXISTS "${folder}/ggml/include")
    list(APPEND includes "${folder}/ggml/include")
  endif()
  add_library(LlamaEngine::llama INTERFACE IMPORTED GLOBAL)
  set_target_properties(LlamaEngine::llama PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${includes}"
    INTERFACE_LINK_LIBRARIES "${libraries}")
  set(LlamaEngine_WAY "${way}" PARENT_SCOPE)
  set(LlamaEngine_FOLDER "${folder}" PARENT_SCOPE)
endfunction()

hone_engine_by(npm "${CMAKE_SOURCE_DIR}/scripts/fetch_engine.sh")
if(HONE_LLAMA MATCHES "^(auto|source)$" AND NOT LlamaEngine_WAY)
  message(STATUS "Local model: building the engine from source (some minutes, once)")
endif()
hone_engine_by(source "${CMAKE_SOURCE_DIR}/scripts/build_engine.sh" "${HONE_CARGO}"
               "${CMAKE_COMMAND}")

if(LlamaEngine_WAY)
  set(LlamaEngine_FOUND TRUE)
  message(STATUS "Local model: engine by way of ${LlamaEngine_WAY}")
else()
  set(LlamaEngine_FOUND FALSE)
  message(STATUS "Local model: built without, because ${LlamaEngine_REASON}")
endif()
