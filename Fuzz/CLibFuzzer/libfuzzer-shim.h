#include <stddef.h>
#include <stdint.h>

// The entry of libFuzzer for programs that have a main function of their own. Scripts/fuzz links the library.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
