#pragma once

#include <stdbool.h>

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include("/opt/homebrew/opt/libpq/include/libpq-fe.h")
#include "/opt/homebrew/opt/libpq/include/libpq-fe.h"
#elif __has_include("/usr/local/opt/libpq/include/libpq-fe.h")
#include "/usr/local/opt/libpq/include/libpq-fe.h"
#else
#error "libpq's header is missing: Tools/bootstrap installs libpq-dev, on a Mac 'brew install libpq' does"
#endif

// libpq, PostgreSQL's own client library, loaded when a server first opens a database of PostgreSQL.
//
// A server over SQLite loads none of the twenty libraries below it, and starts on a system that has no libpq.
// The names are libpq's with another beginning; its manual says what each does.

/// Loads libpq, once for the process; false where this system has none.
bool cpq_load(void);

// Everything below may be called only after cpq_load() has returned true.

/// Connects, and prints no notices.
PGconn *cpq_connect(const char *const *keywords, const char *const *values);
void cpq_finish(PGconn *connection);
ConnStatusType cpq_status(const PGconn *connection);
PGTransactionStatusType cpq_transaction_status(const PGconn *connection);
const char *cpq_error_message(const PGconn *connection);
int cpq_server_version(const PGconn *connection);
const char *cpq_host(const PGconn *connection);
const char *cpq_database(const PGconn *connection);
int cpq_socket(const PGconn *connection);
/// The process that serves this connection, as it was said when it was opened; a pooler says a number of its own.
int cpq_backend_pid(const PGconn *connection);

PGresult *cpq_exec(PGconn *connection, const char *statements);
/// Runs a statement that leaves nothing behind in the session; all values are in binary format, as all results are.
PGresult *cpq_exec_params(
    PGconn *connection, const char *statement, int count, const Oid *types,
    const char *const *values, const int *lengths, const int *formats);
PGresult *cpq_prepare(
    PGconn *connection, const char *name, const char *statement, int count, const Oid *types);
/// Runs a prepared statement; all values are in binary format, as all results are.
PGresult *cpq_exec_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats);

ExecStatusType cpq_result_status(const PGresult *result);
/// The SQLSTATE of a failure; null for none.
const char *cpq_sqlstate(const PGresult *result);
const char *cpq_result_error(const PGresult *result);
/// The first word of what was done, such as COMMIT.
const char *cpq_command(PGresult *result);
int cpq_rows(const PGresult *result);
int cpq_columns(const PGresult *result);
Oid cpq_type(const PGresult *result, int column);
bool cpq_is_null(const PGresult *result, int row, int column);
const char *cpq_value(const PGresult *result, int row, int column);
int cpq_length(const PGresult *result, int row, int column);
void cpq_clear(PGresult *result);

bool cpq_consume_input(PGconn *connection);
/// The next notification that has come; null for none.
PGnotify *cpq_notification(PGconn *connection);
void cpq_free(void *memory);

/// What a connection string says; null with a message, to be freed, when it cannot be read.
PQconninfoOption *cpq_parse(const char *text, char **message);
void cpq_parse_free(PQconninfoOption *options);
