#include "checksum.h"

uint16_t toy_checksum(const char *bytes, size_t size) {
  uint32_t low = 0, high = 0;
  for (size_t i = 0; i < size; ++i) {
    low = (low + (unsigned char)bytes[i]) % 255;
    high = (high + low) % 255;
  }
  return (uint16_t)(high << 8 | low);
}
