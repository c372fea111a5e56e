#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define LIBRARY "libpq.so.5"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

static void load(void) { library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL); }

/* A function of libpq, or NULL. Found anew at each call: a look-up takes far less than anything libpq does. */
static void *function(const char *name) {
    pthread_once(&once, load);
    return library ? dlsym(library, name) : NULL;
}

/* FORWARD(type, name, parameters, arguments, what is given without libpq) */
#define FORWARD(type, name, parameters, arguments, otherwise)                                                          \
    type name parameters {                                                                                            \
        type(*call) parameters = (type(*) parameters)function(#name);                                                  \
        return call ? call arguments : (otherwise);                                                                    \
    }
#define FORWARD_VOID(name, parameters, arguments)                                                                      \
    void name parameters {                                                                                            \
        void(*call) parameters = (void(*) parameters)function(#name);                                                  \
        if (call) call arguments;                                                                                      \
    }

FORWARD(PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values, int expand),
    (keywords, values, expand), NULL)
FORWARD_VOID(PQfinish, (PGconn * connection), (connection))
FORWARD(ConnStatusType, PQstatus, (const PGconn *connection), (connection), CONNECTION_BAD)
FORWARD(char *, PQerrorMessage, (const PGconn *connection), (connection),
    "the library " LIBRARY " (Debian's libpq5) is not installed")
FORWARD(int, PQsocket, (const PGconn *connection), (connection), -1)
FORWARD(int, PQconsumeInput, (PGconn * connection), (connection), 0)
FORWARD(PGnotify *, PQnotifies, (PGconn * connection), (connection), NULL)
FORWARD_VOID(PQfreemem, (void *memory), (memory))
FORWARD(PGresult *, PQexec, (PGconn * connection, const char *query), (connection, query), NULL)
FORWARD(PGresult *, PQexecParams,
    (PGconn * connection, const char *command, int count, const Oid *types, const char *const *values,
        const int *lengths, const int *formats, int resultFormat),
    (connection, command, count, types, values, lengths, formats, resultFormat), NULL)
FORWARD(ExecStatusType, PQresultStatus, (const PGresult *result), (result), PGRES_FATAL_ERROR)
FORWARD(char *, PQresultErrorField, (const PGresult *result, int field), (result, field), NULL)
FORWARD_VOID(PQclear, (PGresult * result), (result))
FORWARD(int, PQntuples, (const PGresult *result), (result), 0)
FORWARD(int, PQnfields, (const PGresult *result), (result), 0)
FORWARD(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column), 1)
FORWARD(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column), NULL)
FORWARD(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column), 0)
