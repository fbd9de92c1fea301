import Synchronization
import Testing

@testable import LadingCommand

/// The closing of resources.
@Suite struct WithResourceTests {
    private struct WorkFailure: Error {}
    private struct ClosingFailure: Error {}

    private final class Resource: Sendable {
        private let closings = Mutex(0)
        var closingCount: Int { closings.withLock(\.self) }

        func close() { closings.withLock { $0 += 1 } }
    }

    @Test func `A resource is closed once, after the work`() async throws {
        let resource = Resource()

        let countBefore = try await withResource(resource, close: { $0.close() }) { $0.closingCount }

        #expect(countBefore == 0 && resource.closingCount == 1)
    }

    @Test func `A failure to close is the error of work that succeeded, and no second attempt follows`() async {
        let resource = Resource()

        await #expect(throws: ClosingFailure.self) {
            try await withResource(resource, close: Self.closeFailing) { $0.closingCount }
        }

        #expect(resource.closingCount == 1)
    }

    @Test func `The error of the work precedes that of closing`() async {
        let resource = Resource()

        await #expect(throws: WorkFailure.self) {
            try await withResource(resource, close: Self.closeFailing) { try await Self.fail($0) }
        }

        #expect(resource.closingCount == 1)
    }

    private static func closeFailing(_ resource: Resource) async throws {
        resource.close()
        throw ClosingFailure()
    }

    private static func fail(_ resource: Resource) async throws { throw WorkFailure() }
}
