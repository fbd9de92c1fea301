import LadingCaching

/// Copies a body into a store while it is handed on.
///
/// When as many bytes have come as were announced, the copy is made visible before the last of them is handed on: whoever has them all may ask again at once. A body that breaks off, or
/// is not read to its end, leaves nothing; one that is too long for the store is handed on without a copy.
final class BodyCopy {
    private var writer: (any BlobWriter)?
    private let length: Int?
    private let isWanted: (Int) -> Bool
    private let whenOver: (Bool) async -> Void
    private var count = 0
    /// Whether the store did not take it.
    private(set) var isRefused = false

    /// - Parameters:
    ///   - length: How many bytes were announced.
    ///   - isWanted: Asked at the end whether a copy of this length is to be kept.
    ///   - whenOver: Called once, when the copy is visible or given up.
    init(
        writer: any BlobWriter, length: Int?, isWanted: @escaping (Int) -> Bool, whenOver: @escaping (_ isKept: Bool) async -> Void
    ) {
        self.writer = writer
        self.length = length
        self.isWanted = isWanted
        self.whenOver = whenOver
    }

    /// The body, which is copied as it is read.
    func body(of original: ReplyBody) -> ReplyBody {
        var chunks = original.makeAsyncIterator()
        return ReplyBody { [self] in
            do {
                guard let chunk = try await chunks.next() else {
                    guard count >= length ?? 0 else { throw HTTPCache.Truncated() }
                    try await finish()
                    return nil
                }
                await append(chunk)
                if count == length {
                    guard try await chunks.next() == nil else { throw Overlong() }
                    try await finish()
                }
                return chunk
            } catch {
                await abandon()
                throw error
            }
        }
    }

    /// Two bodies, one after the other.
    func body(of beginning: ReplyBody, then rest: ReplyBody) -> ReplyBody {
        var first: ReplyBody.Iterator? = beginning.makeAsyncIterator()
        var second = rest.makeAsyncIterator()
        return body(
            of: ReplyBody {
                if let chunk = try await first?.next() { return chunk }
                first = nil
                return try await second.next()
            })
    }

    private struct Overlong: Error {}

    private func append(_ chunk: [UInt8]) async {
        count += chunk.count
        do {
            try await writer?.append(chunk)
        } catch {
            isRefused = true
            await abandon()
        }
    }

    func finish() async throws {
        guard let writer = writer.take() else { return }
        guard isWanted(count) else {
            await writer.abandon()
            return await whenOver(false)
        }
        let isKept = (try? await writer.finish(note: nil)) != nil
        isRefused = !isKept
        await whenOver(isKept)
    }

    /// Leaves nothing of a copy that is not finished.
    func abandon() async {
        guard let writer = writer.take() else { return }
        await writer.abandon()
        await whenOver(false)
    }
}
