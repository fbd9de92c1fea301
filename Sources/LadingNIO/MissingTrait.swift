#if !NIO
    /// The executor over AsyncHTTPClient, which exists with the trait NIO.
    @available(*, unavailable, message: "enable the trait NIO of the package lading")
    public enum AsyncHTTPClientExecutor {}
#endif
