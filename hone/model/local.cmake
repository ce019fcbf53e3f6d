# The embedded model: the engine plugin, and lists for the module's own CMakeLists.txt.

find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(LlamaEngine)
find_package(Minizip REQUIRED)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${CMAKE_SOURCE_DIR}/models/catalogue.json")
file(READ "${CMAKE_SOURCE_DIR}/models/catalogue.json" HONE_CATALOGUE)
configure_file("${CMAKE_SOURCE_DIR}/cmake/catalogue.cc.in"
               "${CMAKE_CURRENT_BINARY_DIR}/catalogue_text.cc" @ONLY)

set(local_sources bert_weights.cc catalogue.cc gguf.cc local.cc local_embedder.cc local_job.cc local_load.cc
    weights.cc weights_http.cc weights_pip.cc weights_wheel.cc
    "${CMAKE_CURRENT_BINARY_DIR}/catalogue_text.cc")
set(local_deps process OpenSSL::Crypto Minizip::minizip)

if(LlamaEngine_FOUND)
  list(APPEND local_sources local_engine.cc)
  add_library(hone_local MODULE local_chat.cc local_choices.cc local_constraint.cc local_kept.cc
              local_plugin.cc local_sample.cc local_vectors.cc)
  target_link_libraries(hone_local PRIVATE hone_options hone_rust LlamaEngine::llama
                        ${CMAKE_DL_LIBS})
  # The Rust part is this plugin's own copy: of its symbols only what is used stays.
  target_link_options(hone_local PRIVATE "LINKER:--exclude-libs,ALL")
  set_target_properties(hone_local PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}"
    CXX_VISIBILITY_PRESET hidden
    BUILD_RPATH_USE_ORIGIN ON
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN/engine")
  install(TARGETS hone_local LIBRARY DESTINATION lib/hone)
  if(LlamaEngine_FOLDER)
    install(DIRECTORY "${LlamaEngine_FOLDER}" DESTINATION lib/hone
            PATTERN include EXCLUDE PATTERN ggml EXCLUDE)
  endif()
else()
  list(APPEND local_sources no_local.cc)
endif()

# To be called when hone_model exists.
function(hone_local_tests)
  hone_targets(local_deps ${local_deps})
  hone_test(NAME hone_local_tests TIMEOUT 600
            SOURCES catalogue_test.cc gguf_test.cc local_embedder_test.cc local_job_test.cc local_kept_test.cc local_schema_test.cc
                    local_test.cc weights_http_test.cc weights_test.cc
            DEPS hone_model hone_fake_server hone_schema ${local_deps})
  if(LlamaEngine_FOUND)
    add_dependencies(hone_model hone_local)
    target_compile_definitions(hone_local_tests PRIVATE
                               HONE_LOCAL_PLUGIN="$<TARGET_FILE:hone_local>")
  endif()
endfunction()
