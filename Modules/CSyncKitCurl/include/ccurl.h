#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

// libcurl, loaded when it is first used.
//
// A program that is linked with libcurl loads some thirty libraries at every start, which takes longer than most
// commands. And setting an option takes a variable number of arguments, which Swift cannot pass.

/// Loads libcurl and prepares it, once for the process; false where this system has none.
bool ccurl_load(void);

// Everything below may be called only after ccurl_load() has returned true.

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
CURLcode ccurl_easy_resume(CURL *easy);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *easy, CURLoption option, int64_t value);
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver);
typedef int (*ccurl_seeker)(void *context, curl_off_t offset, int origin);
CURLcode ccurl_set_seeker(CURL *easy, ccurl_seeker seeker);

/// Digest authentication, for CURLOPT_HTTPAUTH.
static const long ccurl_digest = (long)CURLAUTH_DIGEST;

long ccurl_get_long(CURL *easy, CURLINFO info);
int64_t ccurl_get_size(CURL *easy, CURLINFO info);
/// The certificates that the server has shown, its own first; null for none.
const struct curl_certinfo *ccurl_get_certificates(CURL *easy);

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi);
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
/// The next transfer that has ended, with its result; null when there is none.
CURL *ccurl_multi_ended(CURLM *multi, CURLcode *result);

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line);
void ccurl_list_free(struct curl_slist *list);
