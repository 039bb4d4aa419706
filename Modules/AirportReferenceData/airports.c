#include "AirportReferenceData.h"

// `#embed` is C23; clang 19 and later, and gcc 15, take it in every mode. A compiler without it
// needs the bytes as a list of numbers instead: `xxd -i < airports.bin > airports.inc`, and
// `#include "airports.inc"` in the place of `#embed`.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char table[] = {
#embed "airports.bin"
};

const unsigned char *airport_reference_bytes(void) { return table; }

size_t airport_reference_size(void) { return sizeof table; }
