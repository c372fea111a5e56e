/* SHA-256 by libcrypto, loaded on first use: the functions of openssl/evp.h and openssl/hmac.h that are called. */
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <CLazyLibrary.h>
#include <stddef.h>

typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;

/* Whether the library is installed. */
int crypto_is_there(void);

/* Hidden: the library's own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CCrypto.calls"
#undef CALL
#pragma GCC visibility pop

#endif
