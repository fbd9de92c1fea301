import HTTPTypes
import Testing

@testable import LadingHTTP

/// The decision behind `URLSessionExecutor`: what is pushed is pulled.
@Suite struct ReplyIntakeTests {
    private struct Overrun: Error {}
    private struct Broken: Error {}

    private func intake(unread: Int = 10, canHold: Bool = true) -> ReplyIntake {
        ReplyIntake(limits: .init(head: .seconds(30), silence: .seconds(10), unread: unread, canHold: canHold))
    }

    /// What is read next, in a word.
    private func take(_ intake: inout ReplyIntake, at now: Duration = .zero) -> String {
        do {
            guard let (part, effect) = try intake.take(at: now) else { return "wait" }
            let told = effect.map { " \($0)" } ?? ""
            switch part {
            case .head: return "head" + told
            case .body(let bytes): return "\(bytes.count)" + told
            case .end: return "end" + told
            }
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test func `Head, body and end are read in this order, and what is not there is waited for`() {
        var intake = intake()
        var read = [take(&intake)]

        intake.arrive(ReplyHead(status: .ok), at: .zero)
        read += [take(&intake), take(&intake)]
        _ = intake.arrive([1, 2, 3], at: .zero, overrun: Overrun())
        _ = intake.arrive([4, 5], at: .zero, overrun: Overrun())
        read += [take(&intake), take(&intake)]
        intake.finish(.success(()))
        read += [take(&intake), take(&intake)]

        #expect(read == ["wait", "head", "wait", "5", "wait", "end", "end"])
    }

    @Test func `What arrived before a failure is read before it is told`() {
        var intake = intake()
        intake.arrive(ReplyHead(status: .ok), at: .zero)
        _ = intake.arrive([1, 2, 3], at: .zero, overrun: Overrun())
        intake.finish(.failure(Broken()))

        #expect([take(&intake), take(&intake), take(&intake)] == ["head", "3", "Broken"])
    }

    @Test func `Giving up drops what is unread, and stays`() {
        var intake = intake()
        intake.arrive(ReplyHead(status: .ok), at: .zero)
        _ = take(&intake)
        _ = intake.arrive([1, 2, 3], at: .zero, overrun: Overrun())
        intake.abandon(CancellationError())
        intake.finish(.success(()))

        #expect([take(&intake), take(&intake)] == ["CancellationError", "CancellationError"])
    }

    @Test func `Too much unread holds the connection until it is read`() {
        var intake = intake(unread: 10)
        intake.arrive(ReplyHead(status: .ok), at: .zero)
        _ = take(&intake)

        let effects = [6, 4, 1, 5].map { intake.arrive([UInt8](repeating: 0, count: $0), at: .zero, overrun: Overrun()) }

        #expect(effects == [nil, nil, .hold, nil])
        #expect([take(&intake), take(&intake)] == ["16 release", "wait"])
    }

    @Test func `Too much unread ends a reply that cannot be held`() {
        var intake = intake(unread: 10, canHold: false)
        intake.arrive(ReplyHead(status: .ok), at: .zero)
        _ = take(&intake)

        let effects = [10, 1, 1].map { intake.arrive([UInt8](repeating: 0, count: $0), at: .zero, overrun: Overrun()) }

        #expect(effects == [nil, .close, nil])
        #expect(take(&intake) == "Overrun")
    }

    @Test func `A head has its time, silence has less`() {
        var intake = intake()
        _ = take(&intake, at: .seconds(1))

        #expect(intake.deadline(at: .seconds(2)) == .at(.seconds(10)))
        #expect(intake.deadline(at: .seconds(10)) == .missed(.seconds(10)))

        intake.move(at: .seconds(10))
        intake.move(at: .seconds(19))
        intake.move(at: .seconds(28))
        #expect(intake.deadline(at: .seconds(29)) == .at(.seconds(30)))
        #expect(intake.deadline(at: .seconds(30)) == .missed(.seconds(30)))
    }

    @Test func `In a body silence counts from when the reader began to wait, and only while the reader waits`() {
        var intake = intake()
        intake.arrive(ReplyHead(status: .ok), at: .seconds(5))
        _ = take(&intake, at: .seconds(5))

        // The reader is busy with the head.
        #expect(intake.deadline(at: .seconds(100)) == .at(.seconds(110)))

        _ = take(&intake, at: .seconds(100))
        #expect(intake.deadline(at: .seconds(105)) == .at(.seconds(110)))
        _ = intake.arrive([1], at: .seconds(109), overrun: Overrun())
        _ = [take(&intake, at: .seconds(112)), take(&intake, at: .seconds(112))]
        #expect(intake.deadline(at: .seconds(115)) == .at(.seconds(122)))
        #expect(intake.deadline(at: .seconds(122)) == .missed(.seconds(10)))
    }

    @Test func `After the end there is no deadline`() {
        var intake = intake()
        intake.finish(.success(()))

        #expect(intake.deadline(at: .seconds(100)) == .none)
    }
}
