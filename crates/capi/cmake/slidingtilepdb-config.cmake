# find_package(slidingtilepdb) defines the targets slidingtilepdb::slidingtilepdb (shared) and
# slidingtilepdb::static.
get_filename_component(_stp_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include("${CMAKE_CURRENT_LIST_DIR}/slidingtilepdb-static.cmake")

if(NOT TARGET slidingtilepdb::slidingtilepdb)
    # CMAKE_SHARED_LIBRARY_SUFFIX is .so, .dylib or .dll.
    add_library(slidingtilepdb::slidingtilepdb SHARED IMPORTED)
    set_target_properties(slidingtilepdb::slidingtilepdb PROPERTIES
        IMPORTED_LOCATION "${_stp_prefix}/lib/libslidingtilepdb${CMAKE_SHARED_LIBRARY_SUFFIX}"
        INTERFACE_INCLUDE_DIRECTORIES "${_stp_prefix}/include")

    add_library(slidingtilepdb::static STATIC IMPORTED)
    set_target_properties(slidingtilepdb::static PROPERTIES
        IMPORTED_LOCATION "${_stp_prefix}/lib/libslidingtilepdb.a"
        INTERFACE_INCLUDE_DIRECTORIES "${_stp_prefix}/include"
        INTERFACE_LINK_LIBRARIES "${slidingtilepdb_static_libraries}")
endif()
unset(_stp_prefix)
