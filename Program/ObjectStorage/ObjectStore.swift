import Crypto
import Digests
package import Foundation
import HTTPFieldValues
import HTTPTypes
package import LadingHTTP
import LadingOperations

/// A client of a bucket in an S3-compatible object store.
///
/// ```swift
/// let address = try ObjectStoreAddress("s3://lading/proofs?endpoint=http://127.0.0.1:9000")
/// let credentials = try ObjectStoreCredentials(environment: ProcessInfo.processInfo.environment)
/// let store = ObjectStore(address, credentials: credentials, executor: AsyncHTTPClientExecutor())
/// try await store.check()
/// try await store.put(photo, as: digest, contentType: "image/jpeg")
/// ```
///
/// Requests wait for one of `ObjectStoreLimits.concurrentRequests` slots. They are repeated after transient failures, so the key of an object must be
/// derived from its content: a repetition that arrives late could replace another object. All functions throw `ObjectStoreError` and
/// `CancellationError`.
package struct ObjectStore: Sendable {
    /// The maximum size of a document that lists one object, in bytes.
    private static let listLimit = 64 << 10

    package let address: ObjectStoreAddress
    package let limits: ObjectStoreLimits
    let signer: RequestSigner
    let client: BackendClient
    let retries: RetryControl
    let queue: BackendQueue
    let now: @Sendable () -> Date

    /// Creates a client. It sends nothing.
    ///
    /// - Parameters:
    ///   - executor: The executor that sends requests, which its creator shuts down.
    ///   - clock: The clock of time limits and delays.
    ///   - now: Returns the time of day, which is part of signatures.
    ///   - random: Returns a random number in 0..<1, for the delays before further attempts.
    package init(
        _ address: ObjectStoreAddress, credentials: ObjectStoreCredentials, executor: some BackendExecutor,
        limits: ObjectStoreLimits = ObjectStoreLimits(), clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        (self.address, self.limits, self.now) = (address, limits, now)
        signer = RequestSigner(credentials: credentials, region: address.region)
        retries = RetryControl(policy: RetryPolicy(attempts: limits.attempts), clock: clock, now: now, jitter: random)
        client = BackendClient(executor: executor, clock: clock, retries: retries)
        queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: limits.concurrentRequests)), clock: clock)
    }

    /// Verifies that the bucket exists and that the store accepts the credentials, by listing at most one object.
    ///
    /// Amazon S3 reports a missing object to clients that may not list the bucket as denied, so `get` and `head` need this permission too.
    package func check() async throws {
        let response = try await response(to: ObjectStoreRequest(.list, .get, address.listURL, bodyLimit: Self.listLimit))
        guard response.body.firstRange(of: Array("<ListBucketResult".utf8)) != nil else {
            throw ObjectStoreError.invalidResponse(host: address.host)
        }
    }

    /// Stores an object of at most `ObjectStoreLimits.objectSize`, and replaces one with the same key.
    package func put(_ bytes: [UInt8], as key: String, contentType: String) async throws {
        let url = address.url(ofKey: try ObjectKey(key, in: address))
        guard bytes.count <= limits.objectSize else { throw ObjectStoreError.tooLarge(limit: limits.objectSize) }
        let digest = await Self.digest(of: bytes)
        _ = try await response(to: ObjectStoreRequest(storing: bytes, at: url, contentType: contentType, contentDigest: digest))
    }

    /// Returns the bytes of an object; nil if there is none.
    ///
    /// - Parameter limit: The maximum number of bytes, at most `ObjectStoreLimits.objectSize`.
    package func get(_ key: String, limit: Int = .max) async throws -> [UInt8]? {
        let url = address.url(ofKey: try ObjectKey(key, in: address))
        return try await unlessMissing {
            try await response(to: ObjectStoreRequest(.read, .get, url, bodyLimit: min(limit, limits.objectSize))).body
        }
    }

    /// Returns the bytes in a range of an object, fewer if it ends before; nil if there is no object.
    ///
    /// - Parameter range: A range that is not empty, of at most `ObjectStoreLimits.objectSize` bytes.
    package func get(_ key: String, range: Range<Int>) async throws -> [UInt8]? {
        precondition(range.lowerBound >= 0 && !range.isEmpty, "a range begins in the object and has bytes")
        let url = address.url(ofKey: try ObjectKey(key, in: address))
        guard range.count <= limits.objectSize else { throw ObjectStoreError.tooLarge(limit: limits.objectSize) }
        let headers: HTTPFields = [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
        return try await unlessMissing {
            do {
                let response = try await response(to: ObjectStoreRequest(.read, .get, url, headers: headers, bodyLimit: range.count))
                guard response.isPart(of: range) else { throw ObjectStoreError.invalidResponse(host: address.host) }
                return response.body
            } catch ObjectStoreError.refused(let rejection) where rejection.status == 416 {
                return []
            } catch ObjectStoreError.tooLarge {
                throw ObjectStoreError.invalidResponse(host: address.host)
            }
        }
    }

    /// Returns the size and the type of an object; nil if there is none.
    package func head(_ key: String) async throws -> ObjectInfo? {
        let url = address.url(ofKey: try ObjectKey(key, in: address))
        return try await unlessMissing {
            let headers = try await response(to: ObjectStoreRequest(.readInfo, .head, url)).headers
            guard let size = headers[.contentLength].flatMap({ ContentRange.number($0) }) else {
                throw ObjectStoreError.invalidResponse(host: address.host)
            }
            return ObjectInfo(size: size, contentType: headers[.contentType])
        }
    }

    /// Deletes an object; an object that does not exist is no error.
    package func delete(_ key: String) async throws {
        let url = address.url(ofKey: try ObjectKey(key, in: address))
        _ = try await unlessMissing { try await response(to: ObjectStoreRequest(.delete, .delete, url)) }
    }

    /// Computes a digest elsewhere than on the caller's actor: 64 MiB take a tenth of a second.
    @concurrent private static func digest(of bytes: [UInt8]) async -> String { Crypto.SHA256.hash(data: bytes).hexString }

    /// Returns the value of a function; nil if it throws the error of a missing object.
    private func unlessMissing<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch ObjectStoreError.refused(let rejection) where rejection.isMissingObject {
            return nil
        }
    }
}

/// The size and the type of an object.
package struct ObjectInfo: Hashable, Sendable {
    /// The number of bytes.
    package let size: Int
    package let contentType: String?
}

extension BackendResponse {
    /// Whether the response is a range of an object, or its beginning if the object ends before the end of the range.
    fileprivate func isPart(of range: Range<Int>) -> Bool {
        guard status == .partialContent, case .bytes(let part, _)? = headers[.contentRange].flatMap({ ContentRange($0) }) else {
            return false
        }
        return part.lowerBound == range.lowerBound && part.upperBound <= range.upperBound && part.count == body.count
    }
}
