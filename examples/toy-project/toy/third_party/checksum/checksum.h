/* A checksum of bytes: the Fletcher sum of 16 bits. */
#ifndef TOY_CHECKSUM_H
#define TOY_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint16_t toy_checksum(const char *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
