/*
 * libpq, loaded when it is first used.
 *
 * Linked in, libpq and the two dozen libraries it leans on (Kerberos, LDAP, GnuTLS, ...) would be loaded at each start of
 * the program, of which few speak to a server. Every function here does what libpq's of that name does. Where libpq is
 * not installed PQconnectdbParams gives NULL, and PQerrorMessage says so.
 */
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

/* Hidden: libpq's own calls of these must stay its own. */
#pragma GCC visibility push(hidden)
#include <postgresql/libpq-fe.h>
#pragma GCC visibility pop

#endif
