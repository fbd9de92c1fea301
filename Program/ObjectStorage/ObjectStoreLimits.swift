/// The bounds of the requests to an object store.
package struct ObjectStoreLimits: Hashable, Sendable {
    /// The maximum size of an object, in bytes. A larger one needs a multipart upload, which the client does not have.
    package var objectSize = 64 << 20
    /// The maximum number of requests at once; further ones wait.
    package var concurrentRequests = 6
    /// The maximum number of attempts at a request.
    package var attempts = 4
    /// The maximum time of an attempt without the transfer of an object.
    package var attemptTime = Duration.seconds(20)
    /// The maximum time of a request without the transfer of an object, waiting and attempts included.
    package var requestTime = Duration.seconds(60)
    /// The slowest transfer that does not exceed the time limits, in bytes per second.
    package var transferRate = 256 << 10

    package init() {}

    func attemptTime(transferring size: Int) -> Duration { attemptTime + transferTime(size) }

    func requestTime(transferring size: Int) -> Duration { requestTime + transferTime(size) }

    private func transferTime(_ size: Int) -> Duration { .seconds(Double(size) / Double(transferRate)) }
}
