#pragma once

#include <qrencode.h>

// libqrencode, loaded when a code is first drawn, so that a program starts on a system that has none.

/// Makes the code of a text; null when the text is too long for one, and where this system has no libqrencode.
QRcode *cqrencode_code(const char *text);

/// Frees what cqrencode_code() returned.
void cqrencode_free(QRcode *code);
