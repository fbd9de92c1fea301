import LadingCaching

/// A copy of a body into a store while it is forwarded.
///
/// Once it has the announced length, the copy is made visible before the last chunk is forwarded, because the receiver may repeat its request at
/// once. A body that is interrupted or not read to its end is not stored; one that is too long for the store is forwarded without a copy.
final class BodyCopy {
    private var writer: (any BlobWriter)?
    private let length: Int?
    private let endsWhenRejected: Bool
    private let shouldStore: (Int) -> Bool
    private let onEnd: (Bool) async -> Void
    private var count = 0
    /// Whether the store did not accept the copy.
    private(set) var isRejectedByStore = false

    /// - Parameters:
    ///   - length: The announced length in bytes, if any.
    ///   - endsWhenRejected: Whether the forwarded body ends when the store does not accept the copy.
    ///   - shouldStore: Returns at the end whether to store a copy of this length.
    ///   - onEnd: Called once, when the copy is visible or discarded.
    init(
        writer: any BlobWriter, length: Int?, endsWhenRejected: Bool, shouldStore: @escaping (Int) -> Bool,
        onEnd: @escaping (_ isKept: Bool) async -> Void
    ) {
        self.writer = writer
        self.length = length
        self.endsWhenRejected = endsWhenRejected
        self.shouldStore = shouldStore
        self.onEnd = onEnd
    }

    /// Returns the body, which is copied as it is read.
    func copying(_ original: ResponseBody) -> ResponseBody {
        var chunks = original.makeAsyncIterator()
        return ResponseBody { [self] in
            do {
                guard let chunk = try await chunks.next() else {
                    guard count >= length ?? 0 else { throw HTTPCache.Truncated() }
                    try await finish()
                    return nil
                }
                await append(chunk)
                if endsWhenRejected, isRejectedByStore { return nil }
                if count == length {
                    guard try await chunks.next() == nil else { throw BodyTooLong() }
                    try await finish()
                }
                return chunk
            } catch {
                await discard()
                throw error
            }
        }
    }

    /// Returns the concatenation of two bodies, which is copied as it is read.
    func copying(_ prefix: ResponseBody, then rest: ResponseBody) -> ResponseBody {
        var first: ResponseBody.Iterator? = prefix.makeAsyncIterator()
        var second = rest.makeAsyncIterator()
        return copying(
            ResponseBody {
                if let chunk = try await first?.next() { return chunk }
                first = nil
                return try await second.next()
            })
    }

    private struct BodyTooLong: Error {}

    private func append(_ chunk: [UInt8]) async {
        count += chunk.count
        do {
            try await writer?.append(chunk)
        } catch {
            isRejectedByStore = true
            await discard()
        }
    }

    func finish() async throws {
        guard let writer = writer.take() else { return }
        guard shouldStore(count) else {
            await writer.discard()
            return await onEnd(false)
        }
        let isStored = (try? await writer.finish(metadata: nil)) != nil
        isRejectedByStore = !isStored
        await onEnd(isStored)
    }

    /// Discards a copy that is not finished.
    func discard() async {
        guard let writer = writer.take() else { return }
        await writer.discard()
        await onEnd(false)
    }
}
