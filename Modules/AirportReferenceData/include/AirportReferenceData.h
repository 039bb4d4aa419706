#ifndef AIRPORT_REFERENCE_DATA_H
#define AIRPORT_REFERENCE_DATA_H

#include <stddef.h>

/// The first byte of the embedded airport table; valid and unchanged as long as the process runs.
///
/// The format is described in Tools/reference/build_airports.py, the licence in LICENSE beside
/// this target.
const unsigned char *airport_reference_bytes(void);

/// How many bytes the table has.
size_t airport_reference_size(void);

#endif
