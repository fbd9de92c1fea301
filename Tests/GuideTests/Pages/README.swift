// block 1

#if canImport(SwiftUI)
    // block 2
#endif
