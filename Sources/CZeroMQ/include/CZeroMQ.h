/* libzmq 4, loaded on first use: the functions of zmq.h that are called. Only the Jupyter kernel uses it. */
#ifndef CZEROMQ_H
#define CZEROMQ_H

#include <CLazyLibrary.h>

typedef struct {
    _Alignas(void *) unsigned char bytes[64];
} zmq_msg_t;

typedef struct {
    void *socket;
    int fd;
    short events;
    short revents;
} zmq_pollitem_t;

/* Types and options of sockets, with the same numbers in all versions of the library since 3. */
enum {
    ZMQ_SUB = 2,
    ZMQ_REQ = 3,
    ZMQ_REP = 4,
    ZMQ_DEALER = 5,
    ZMQ_ROUTER = 6,
    ZMQ_XPUB = 9,
    ZMQ_SUBSCRIBE = 6,
    ZMQ_LINGER = 17,
    ZMQ_MAXMSGSIZE = 22,
    ZMQ_SNDHWM = 23,
    ZMQ_XPUB_VERBOSE = 40,
    ZMQ_IPV6 = 42,
    ZMQ_ROUTER_HANDOVER = 56,
    ZMQ_POLLIN = 1,
    ZMQ_DONTWAIT = 1,
    ZMQ_SNDMORE = 2,
};

/* Whether the library is installed. */
int zeromq_is_there(void);

/* Hidden: the library's own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CZeroMQ.calls"
#undef CALL
#pragma GCC visibility pop

#endif
