# cmake -DINPUT=file -DOUTPUT=file.cpp -DNAME=function -P EmbedText.cmake
# Writes a C++ source with `const char* NAME()` in sextant::embedded that returns the text of INPUT.
file(READ "${INPUT}" content)
file(WRITE "${OUTPUT}" "namespace sextant::embedded {\nconst char* ${NAME}();\nconst char* ${NAME}() {\n    return R\"EMBEDDED(${content})EMBEDDED\";\n}\n}  // namespace sextant::embedded\n")
