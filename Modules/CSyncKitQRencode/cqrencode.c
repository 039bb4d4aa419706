#include "cqrencode.h"

#include <dlfcn.h>
#include <pthread.h>

// The types are those of the header, so that a call that does not fit is refused by the compiler.
static __typeof__(&QRcode_encodeString8bit) encode;
static __typeof__(&QRcode_free) release;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  static const char *const names[] = {
#ifdef __APPLE__
    "libqrencode.4.dylib", "/opt/homebrew/lib/libqrencode.4.dylib", "/usr/local/lib/libqrencode.4.dylib",
#else
    "libqrencode.so.4",
#endif
  };
  void *handle = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  release = (__typeof__(release))dlsym(handle, "QRcode_free");
  if (release) encode = (__typeof__(encode))dlsym(handle, "QRcode_encodeString8bit");
}

QRcode *cqrencode_code(const char *text) {
  pthread_once(&once, load);
  return encode ? encode(text, 0, QR_ECLEVEL_L) : 0;
}

void cqrencode_free(QRcode *code) {
  if (code) release(code);
}
