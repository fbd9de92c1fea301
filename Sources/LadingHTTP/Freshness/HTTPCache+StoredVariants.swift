import Foundation
import HTTPTypes
import LadingCaching

/// The stored responses of one URL, newest first.
struct StoredVariants: Sendable {
    struct Entry: Sendable {
        var blob: Blob
        var response: StoredResponse
    }

    var entries: [Entry] = []

    var responses: [StoredResponse] { entries.map(\.response) }
}

// Reading stored responses.
extension HTTPCache {
    /// A stored response whose body is open for reading.
    struct OpenedResponse {
        let response: StoredResponse
        let content: ServedContent
        let body: ResponseBody

        func head(_ status: CacheStatus, _ cache: HTTPCache) -> ResponseHead {
            response.head(for: content, at: cache.now(), in: cache.policy.role, status)
        }
    }

    /// Returns the stored variants of a request; none when the store fails.
    func storedVariants(for request: CacheableRequest) async -> StoredVariants {
        let blobs = (try? await store.blobs(in: request.group)) ?? []
        return StoredVariants(
            entries: blobs.compactMap { blob in
                StoredResponse(metadata: blob.metadata, length: blob.length).map { StoredVariants.Entry(blob: blob, response: $0) }
            })
    }

    /// Opens the content that serves a request; nil when it was removed or is damaged.
    func open(_ content: ServedContent, from entry: StoredVariants.Entry, for method: HTTPRequest.Method) async -> OpenedResponse? {
        let bytes = method == .head ? 0..<0 : entry.response.bytes(of: content)
        guard let reader = try? await store.open(entry.blob) else { return nil }
        guard !bytes.isEmpty else { return OpenedResponse(response: entry.response, content: content, body: ResponseBody { nil }) }
        // Damage is detected when the body is read: until the head is served, another response can be used instead.
        guard let first = try? await reader.read(from: bytes.lowerBound, count: min(bytes.count, Self.readSize)), !first.isEmpty
        else { return nil }
        return OpenedResponse(response: entry.response, content: content, body: ResponseBody(first, then: reader, until: bytes))
    }
}

extension ResponseBody {
    /// Creates a stored body whose first chunk has been read.
    fileprivate init(_ first: [UInt8], then reader: any BlobReader, until bytes: Range<Int>) {
        var offset = bytes.lowerBound
        var next: [UInt8]? = first
        self.init {
            if let chunk = next.take() {
                offset += chunk.count
                return chunk
            }
            guard offset < bytes.upperBound else { return nil }
            let chunk = try await reader.read(from: offset, count: Swift.min(bytes.upperBound - offset, HTTPCache.readSize))
            guard !chunk.isEmpty else { throw HTTPCache.Truncated() }
            offset += chunk.count
            return chunk
        }
        isStored = true
    }
}

extension HTTPCache {
    /// The error of a body that ends before its length.
    struct Truncated: Error {}
}
