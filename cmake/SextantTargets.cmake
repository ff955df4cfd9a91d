# Warnings and sanitizers for our own targets, and one function that makes a Qt Test program.

add_library(sextant_options INTERFACE)
target_compile_options(sextant_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
target_include_directories(sextant_options INTERFACE ${CMAKE_SOURCE_DIR})
if(SEXTANT_SANITIZE)
  target_compile_options(sextant_options INTERFACE -fsanitize=${SEXTANT_SANITIZE} -fno-omit-frame-pointer -g1
                         -fno-sanitize-recover=all)
  target_link_options(sextant_options INTERFACE -fsanitize=${SEXTANT_SANITIZE})
endif()

# sextant_add_test(NAME name SOURCES ... LIBS ... LABELS ... [GUI])
# The program runs with QT_QPA_PLATFORM=offscreen, Qt Test's own limit of five minutes set to TIMEOUT, SEXTANT_CLI and SEXTANT_SHARED_DIR set, one ctest entry a program.
function(sextant_add_test)
  cmake_parse_arguments(T "GUI" "NAME;TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${T_NAME} ${T_SOURCES})
  target_link_libraries(${T_NAME} PRIVATE sextant_options Qt6::Test ${T_LIBS})
  set_target_properties(${T_NAME} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/bin)
  target_compile_definitions(${T_NAME} PRIVATE SEXTANT_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                               SEXTANT_SHARED_DIR="${SEXTANT_SHARED_DIR}")
  add_test(NAME ${T_NAME} COMMAND ${T_NAME})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  set_tests_properties(${T_NAME} PROPERTIES LABELS "${T_LABELS}" TIMEOUT ${T_TIMEOUT} ENVIRONMENT
    "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${T_TIMEOUT}000;SEXTANT_CLI=${CMAKE_BINARY_DIR}/bin/sextant-cli;SEXTANT_SHARED_DIR=${SEXTANT_SHARED_DIR}")
endfunction()
