import HTTPTypes
import Testing

@testable import LadingHTTP

/// The decisions of `URLSessionExecutor` between the pushed response and its reader.
@Suite struct ResponseBufferTests {
    private struct Overrun: Error {}
    private struct Broken: Error {}

    private func buffer(size: Int = 10, canSuspend: Bool = true) -> ResponseBuffer {
        ResponseBuffer(limits: .init(head: .seconds(30), read: .seconds(10), size: size, canSuspend: canSuspend))
    }

    /// Returns a description of the next part.
    private func next(_ buffer: inout ResponseBuffer, at now: Duration = .zero) -> String {
        do {
            guard let (part, effect) = try buffer.next(at: now) else { return "wait" }
            let effectText = effect.map { " \($0)" } ?? ""
            switch part {
            case .head: return "head" + effectText
            case .body(let bytes): return "\(bytes.count)" + effectText
            case .end: return "end" + effectText
            }
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test func `Head, body and end are read in order, and the reader waits for missing parts`() {
        var buffer = buffer()
        var read = [next(&buffer)]

        buffer.receive(ResponseHead(status: .ok), at: .zero)
        read += [next(&buffer), next(&buffer)]
        _ = buffer.receive([1, 2, 3], at: .zero, overrun: Overrun())
        _ = buffer.receive([4, 5], at: .zero, overrun: Overrun())
        read += [next(&buffer), next(&buffer)]
        buffer.finish(.success(()))
        read += [next(&buffer), next(&buffer)]

        #expect(read == ["wait", "head", "wait", "5", "wait", "end", "end"])
    }

    @Test func `The head and the end are known when they arrive, before they are read`() {
        var buffer = buffer()
        var states = [[buffer.hasHead, buffer.hasEnded]]
        buffer.receive(ResponseHead(status: .ok), at: .zero)
        states.append([buffer.hasHead, buffer.hasEnded])
        buffer.finish(.success(()))
        states.append([buffer.hasHead, buffer.hasEnded])

        #expect(states == [[false, false], [true, false], [true, true]])
    }

    @Test func `Bytes that arrived before a failure are read first`() {
        var buffer = buffer()
        buffer.receive(ResponseHead(status: .ok), at: .zero)
        _ = buffer.receive([1, 2, 3], at: .zero, overrun: Overrun())
        buffer.finish(.failure(Broken()))

        #expect([next(&buffer), next(&buffer), next(&buffer)] == ["head", "3", "Broken"])
    }

    @Test func `Cancelling discards buffered bytes permanently`() {
        var buffer = buffer()
        buffer.receive(ResponseHead(status: .ok), at: .zero)
        _ = next(&buffer)
        _ = buffer.receive([1, 2, 3], at: .zero, overrun: Overrun())
        buffer.cancel(with: CancellationError())
        buffer.finish(.success(()))

        #expect([next(&buffer), next(&buffer)] == ["CancellationError", "CancellationError"])
    }

    @Test func `A full buffer suspends the connection until it is read`() {
        var buffer = buffer(size: 10)
        buffer.receive(ResponseHead(status: .ok), at: .zero)
        _ = next(&buffer)

        let effects = [6, 4, 1, 5].map { buffer.receive([UInt8](repeating: 0, count: $0), at: .zero, overrun: Overrun()) }

        #expect(effects == [nil, nil, .suspend, nil])
        #expect([next(&buffer), next(&buffer)] == ["16 resume", "wait"])
    }

    @Test func `A full buffer fails a response whose connection cannot be suspended`() {
        var buffer = buffer(size: 10, canSuspend: false)
        buffer.receive(ResponseHead(status: .ok), at: .zero)
        _ = next(&buffer)

        let effects = [10, 1, 1].map { buffer.receive([UInt8](repeating: 0, count: $0), at: .zero, overrun: Overrun()) }

        #expect(effects == [nil, .close, nil])
        #expect(next(&buffer) == "Overrun")
    }

    @Test func `The head has a timeout of its own, and the read timeout restarts with any activity`() {
        var buffer = buffer()
        _ = next(&buffer, at: .seconds(1))

        #expect(buffer.deadline(at: .seconds(2)) == .at(.seconds(10)))
        #expect(buffer.deadline(at: .seconds(10)) == .expired(.seconds(10)))

        buffer.recordActivity(at: .seconds(10))
        buffer.recordActivity(at: .seconds(19))
        buffer.recordActivity(at: .seconds(28))
        #expect(buffer.deadline(at: .seconds(29)) == .at(.seconds(30)))
        #expect(buffer.deadline(at: .seconds(30)) == .expired(.seconds(30)))
    }

    @Test func `In the body the read timeout counts only while the reader waits`() {
        var buffer = buffer()
        buffer.receive(ResponseHead(status: .ok), at: .seconds(5))
        _ = next(&buffer, at: .seconds(5))

        // The reader is busy with the head.
        #expect(buffer.deadline(at: .seconds(100)) == .at(.seconds(110)))

        _ = next(&buffer, at: .seconds(100))
        #expect(buffer.deadline(at: .seconds(105)) == .at(.seconds(110)))
        _ = buffer.receive([1], at: .seconds(109), overrun: Overrun())
        _ = [next(&buffer, at: .seconds(112)), next(&buffer, at: .seconds(112))]
        #expect(buffer.deadline(at: .seconds(115)) == .at(.seconds(122)))
        #expect(buffer.deadline(at: .seconds(122)) == .expired(.seconds(10)))
    }

    @Test func `A finished response has no deadline`() {
        var buffer = buffer()
        buffer.finish(.success(()))

        #expect(buffer.deadline(at: .seconds(100)) == .none)
    }
}
