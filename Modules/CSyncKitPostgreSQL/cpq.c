#include "cpq.h"

#include <dlfcn.h>
#include <pthread.h>

// The types are those of the header, so that a call that does not fit is refused by the compiler.
#define FUNCTIONS(X) \
  X(PQconnectdbParams) X(PQfinish) X(PQstatus) X(PQtransactionStatus) X(PQerrorMessage) \
  X(PQserverVersion) X(PQhost) X(PQdb) X(PQsocket) X(PQbackendPID) X(PQexec) X(PQexecParams) \
  X(PQprepare) X(PQexecPrepared) \
  X(PQresultStatus) X(PQresultErrorField) X(PQcmdStatus) X(PQntuples) X(PQnfields) \
  X(PQftype) X(PQgetisnull) X(PQgetvalue) X(PQgetlength) X(PQclear) X(PQconsumeInput) \
  X(PQnotifies) X(PQfreemem) X(PQconninfoParse) X(PQconninfoFree) X(PQsetNoticeProcessor)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  FUNCTIONS(DECLARE)
} library;

static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  static const char *const names[] = {
#ifdef __APPLE__
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
  };
  void *handle = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define FIND(name) \
  if (!(library.name = (__typeof__(library.name))dlsym(handle, #name))) return;
  FUNCTIONS(FIND)
  is_loaded = true;
}

bool cpq_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

static void ignore(void *context, const char *message) {
  (void)context;
  (void)message;
}

PGconn *cpq_connect(const char *const *keywords, const char *const *values) {
  PGconn *connection = library.PQconnectdbParams(keywords, values, 1);
  if (connection) library.PQsetNoticeProcessor(connection, ignore, 0);
  return connection;
}
void cpq_finish(PGconn *connection) { library.PQfinish(connection); }
ConnStatusType cpq_status(const PGconn *connection) { return library.PQstatus(connection); }
PGTransactionStatusType cpq_transaction_status(const PGconn *connection) {
  return library.PQtransactionStatus(connection);
}
const char *cpq_error_message(const PGconn *connection) { return library.PQerrorMessage(connection); }
int cpq_server_version(const PGconn *connection) { return library.PQserverVersion(connection); }
const char *cpq_host(const PGconn *connection) { return library.PQhost(connection); }
const char *cpq_database(const PGconn *connection) { return library.PQdb(connection); }
int cpq_socket(const PGconn *connection) { return library.PQsocket(connection); }
int cpq_backend_pid(const PGconn *connection) { return library.PQbackendPID(connection); }

PGresult *cpq_exec(PGconn *connection, const char *statements) {
  return library.PQexec(connection, statements);
}
PGresult *cpq_exec_params(
    PGconn *connection, const char *statement, int count, const Oid *types,
    const char *const *values, const int *lengths, const int *formats) {
  return library.PQexecParams(
      connection, statement, count, types, values, lengths, formats, 1);
}
PGresult *cpq_prepare(
    PGconn *connection, const char *name, const char *statement, int count, const Oid *types) {
  return library.PQprepare(connection, name, statement, count, types);
}
PGresult *cpq_exec_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats) {
  return library.PQexecPrepared(connection, name, count, values, lengths, formats, 1);
}

ExecStatusType cpq_result_status(const PGresult *result) { return library.PQresultStatus(result); }
const char *cpq_sqlstate(const PGresult *result) {
  return library.PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
const char *cpq_result_error(const PGresult *result) {
  return library.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
const char *cpq_command(PGresult *result) { return library.PQcmdStatus(result); }
int cpq_rows(const PGresult *result) { return library.PQntuples(result); }
int cpq_columns(const PGresult *result) { return library.PQnfields(result); }
Oid cpq_type(const PGresult *result, int column) { return library.PQftype(result, column); }
bool cpq_is_null(const PGresult *result, int row, int column) {
  return library.PQgetisnull(result, row, column);
}
const char *cpq_value(const PGresult *result, int row, int column) {
  return library.PQgetvalue(result, row, column);
}
int cpq_length(const PGresult *result, int row, int column) {
  return library.PQgetlength(result, row, column);
}
void cpq_clear(PGresult *result) { library.PQclear(result); }

bool cpq_consume_input(PGconn *connection) { return library.PQconsumeInput(connection); }
PGnotify *cpq_notification(PGconn *connection) { return library.PQnotifies(connection); }
void cpq_free(void *memory) { library.PQfreemem(memory); }

PQconninfoOption *cpq_parse(const char *text, char **message) {
  return library.PQconninfoParse(text, message);
}
void cpq_parse_free(PQconninfoOption *options) { library.PQconninfoFree(options); }
