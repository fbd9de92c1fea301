import LadingCaching

/// Copies a body into a store while it is handed on.
///
/// When as many bytes have come as were announced, the copy is made visible before the last of them is handed on: whoever has them all may ask again at once. A body that breaks off, or
/// is not read to its end, leaves nothing; one that is too long for the store is handed on without a copy.
final class BodyCopy {
    private var writer: (any BlobWriter)?
    private let length: Int?
    private let shouldStore: (Int) -> Bool
    private let onEnd: (Bool) async -> Void
    private var count = 0
    /// Whether the store did not take it.
    private(set) var isRejectedByStore = false

    /// - Parameters:
    ///   - length: How many bytes were announced.
    ///   - isWanted: Asked at the end whether a copy of this length is to be kept.
    ///   - whenOver: Called once, when the copy is visible or given up.
    init(
        writer: any BlobWriter, length: Int?, shouldStore: @escaping (Int) -> Bool, onEnd: @escaping (_ isKept: Bool) async -> Void
    ) {
        self.writer = writer
        self.length = length
        self.shouldStore = shouldStore
        self.onEnd = onEnd
    }

    /// The body, which is copied as it is read.
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

    /// Two bodies, one after the other.
    func copying(_ beginning: ResponseBody, then rest: ResponseBody) -> ResponseBody {
        var first: ResponseBody.Iterator? = beginning.makeAsyncIterator()
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

    /// Leaves nothing of a copy that is not finished.
    func discard() async {
        guard let writer = writer.take() else { return }
        await writer.discard()
        await onEnd(false)
    }
}
