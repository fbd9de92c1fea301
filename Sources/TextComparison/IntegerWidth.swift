// All libraries import this module. Shifts such as `1 << 40` are 0 with integers of 32 bits, without an error: stores would count as damaged.
#if _pointerBitWidth(_32)
    #error("Lading needs integers of 64 bits: exclude the architecture arm64_32 of watches")
#endif
