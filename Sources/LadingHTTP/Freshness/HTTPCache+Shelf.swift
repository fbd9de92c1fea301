import Foundation
import HTTPTypes
import LadingCaching

// What is kept of a URL, and how it is read.
extension HTTPCache {
    /// What is kept of one URL, the newest first.
    struct Shelf: Sendable {
        struct Entry: Sendable {
            var blob: Blob
            var reply: StoredReply
        }

        var entries: [Entry] = []

        var replies: [StoredReply] { entries.map(\.reply) }
    }

    /// A kept reply that is about to be handed over.
    struct Reading {
        let reply: StoredReply
        let answer: CacheAnswer
        let body: ReplyBody

        func head(_ note: CacheStatus, _ cache: HTTPCache) -> ReplyHead {
            reply.head(for: answer, at: cache.now(), in: cache.policy.role, note)
        }
    }

    /// Empty when the store fails, too.
    func shelf(of request: CachedRequest) async -> Shelf {
        let blobs = (try? await store.blobs(in: request.group)) ?? []
        return Shelf(
            entries: blobs.compactMap { blob in
                StoredReply(note: blob.note, length: blob.length).map { Shelf.Entry(blob: blob, reply: $0) }
            })
    }

    /// Opens what answers a request; nil when it is not there any more, or damaged.
    func reading(of answer: CacheAnswer, from entry: Shelf.Entry, for method: HTTPRequest.Method) async -> Reading? {
        let bytes = method == .head ? 0..<0 : entry.reply.bytes(of: answer)
        guard let reader = try? await store.open(entry.blob) else { return nil }
        guard !bytes.isEmpty else { return Reading(reply: entry.reply, answer: answer, body: ReplyBody { nil }) }
        // Whether it is damaged shows when it is read: before the head is handed over another reply can still take its place.
        guard let first = try? await reader.read(from: bytes.lowerBound, count: min(bytes.count, Self.readSize)), !first.isEmpty
        else { return nil }
        return Reading(reply: entry.reply, answer: answer, body: ReplyBody(first, then: reader, until: bytes))
    }
}

extension ReplyBody {
    /// A kept body whose beginning was read already.
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
    }
}

extension HTTPCache {
    /// A kept body ended before its length.
    struct Truncated: Error {}
}
