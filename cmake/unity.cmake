# compile_rooms_together(TARGET): the files of a folder as one, so that headers are read once for all of them. Those that have
# a name in their unnamed namespace which another file of the folder has too, or a class with fields of a type from there,
# are compiled alone: add such a file here.
set(PLD_ALONE src/bounds/alpha_divergence.cpp src/bounds/renyi.cpp src/bounds/renyi_closed_forms.cpp
              src/engines/contour/path_bound.cpp src/engines/contour/vertical_line.cpp src/lattice/discretise.cpp
              src/ledger/released.cpp src/readout/line_reading.cpp)

function(compile_rooms_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH room)
    if(file MATCHES "_command\\.cpp$") # as much work as the rest of their room, at the end of a build: two cores share it
      string(APPEND room "_commands")
    endif()
    if(NOT file IN_LIST PLD_ALONE)
      string(MAKE_C_IDENTIFIER "${room}" room)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
    endif()
  endforeach()
endfunction()
