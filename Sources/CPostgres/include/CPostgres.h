/*
 * libpq, loaded on first use: the functions of libpq-fe.h that are called. It depends on two dozen libraries (Kerberos,
 * LDAP, GnuTLS, ...), and few sessions connect to a server.
 */
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <CLazyLibrary.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;
typedef enum { CONNECTION_OK = 0, CONNECTION_BAD = 1 } ConnStatusType;
typedef enum {
    PGRES_POLLING_FAILED = 0,
    PGRES_POLLING_READING = 1,
    PGRES_POLLING_WRITING = 2,
    PGRES_POLLING_OK = 3
} PostgresPollingStatusType;
typedef enum { PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2, PGRES_FATAL_ERROR = 7 } ExecStatusType;
typedef struct {
    char *relname;
    int be_pid;
    char *extra;
} PGnotify;

/* Whether the library is installed. */
int postgres_is_there(void);

/* Hidden: the library's own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CPostgres.calls"
#undef CALL
#pragma GCC visibility pop

#endif
