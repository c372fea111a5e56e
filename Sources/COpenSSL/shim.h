// libcrypto, for the SHA-256 of input data.
#ifndef RUTTER_COPENSSL_SHIM_H
#define RUTTER_COPENSSL_SHIM_H

#include <openssl/evp.h>

#endif
