#include "ccurl.h"

#include <dlfcn.h>
#include <pthread.h>

// The types are those of the header, so that a call that does not fit is refused by the compiler.
#define FUNCTIONS(X) \
  X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_pause) \
  X(curl_easy_setopt) X(curl_easy_getinfo) X(curl_multi_init) X(curl_multi_add_handle) \
  X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup) \
  X(curl_multi_info_read) X(curl_slist_append) X(curl_slist_free_all)

// The header has macros of these names that check types; what is meant here are the functions.
#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
#define DECLARE(name) __typeof__(&name) name;
  FUNCTIONS(DECLARE)
} library;

static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  static const char *const names[] = {
#ifdef __APPLE__
    "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
  };
  void *handle = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define FIND(name) \
  if (!(library.name = (__typeof__(library.name))dlsym(handle, #name))) return;
  FUNCTIONS(FIND)
  is_loaded = library.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool ccurl_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

CURL *ccurl_easy_init(void) { return library.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { library.curl_easy_cleanup(easy); }
CURLcode ccurl_easy_resume(CURL *easy) { return library.curl_easy_pause(easy, CURLPAUSE_CONT); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_size(CURL *easy, CURLoption option, int64_t value) {
  return library.curl_easy_setopt(easy, option, (curl_off_t)value);
}
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver) {
  return library.curl_easy_setopt(easy, option, receiver);
}
CURLcode ccurl_set_seeker(CURL *easy, ccurl_seeker seeker) {
  return library.curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seeker);
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return library.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
int64_t ccurl_get_size(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return library.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
const struct curl_certinfo *ccurl_get_certificates(CURL *easy) {
  struct curl_certinfo *value = 0;
  return library.curl_easy_getinfo(easy, CURLINFO_CERTINFO, &value) == CURLE_OK ? value : 0;
}

CURLM *ccurl_multi_init(void) { return library.curl_multi_init(); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return library.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return library.curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi) {
  int running;
  return library.curl_multi_perform(multi, &running);
}
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
  return library.curl_multi_poll(multi, 0, 0, milliseconds, 0);
}
CURLMcode ccurl_multi_wakeup(CURLM *multi) { return library.curl_multi_wakeup(multi); }
CURL *ccurl_multi_ended(CURLM *multi, CURLcode *result) {
  int left;
  for (CURLMsg *message; (message = library.curl_multi_info_read(multi, &left));)
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  return 0;
}

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line) {
  return library.curl_slist_append(list, line);
}
void ccurl_list_free(struct curl_slist *list) { library.curl_slist_free_all(list); }
