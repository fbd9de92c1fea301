import ServerStartup
import Testing

@testable import Origin

@Suite("Uploads under way") struct UploadTableTests {
    private let one: ClientAddress
    private let other: ClientAddress

    init() throws {
        (one, other) = (try #require(ClientAddress("192.0.2.1")), try #require(ClientAddress("192.0.2.2")))
    }

    private func record() -> UploadRecord {
        UploadRecord(id: UploadRecord.makeID(), name: "file", created: 0)
    }

    /// Adds an upload of each client; returns the problems in their order.
    private func problems(adding clients: [ClientAddress?], to table: inout UploadTable) -> [UploadProblem?] {
        var problems: [UploadProblem?] = []
        for client in clients {
            do throws(UploadProblem) {
                try table.add(record(), of: client)
                problems.append(nil)
            } catch {
                problems.append(error)
            }
        }
        return problems
    }

    @Test func `A client has so many uploads under way, and others have theirs`() {
        var table = UploadTable([:], limits: UploadLimits(total: 10, perClient: 2))

        let problems = problems(adding: [one, one, one, other, other, other], to: &table)

        #expect(problems == [nil, nil, .tooManyOfClient(limit: 2), nil, nil, .tooManyOfClient(limit: 2)])
        #expect(table.all.count == 4)
    }

    @Test func `The limit of all clients holds for all of them together`() {
        var table = UploadTable([:], limits: UploadLimits(total: 4, perClient: 2))

        let problems = problems(adding: [one, one, other, nil, other, nil, one], to: &table)

        #expect(problems == [nil, nil, nil, nil, .tooMany, .tooMany, .tooManyOfClient(limit: 2)])
    }

    @Test(arguments: [false, true])
    func `An upload holds the place of its client until it is complete or removed`(isRemoved: Bool) throws {
        var table = UploadTable([:], limits: UploadLimits(total: 10, perClient: 1))
        var upload = record()
        try table.add(upload, of: one)
        upload.safe = 1
        table.update(upload)
        let before = problems(adding: [one], to: &table)

        if isRemoved {
            table.remove(upload.id)
        } else {
            upload.isComplete = true
            table.update(upload)
        }
        let after = problems(adding: [one], to: &table)

        #expect(before == [.tooManyOfClient(limit: 1)] && after == [nil])
        #expect((table[upload.id] == nil) == isRemoved)
    }

    @Test func `Uploads of unknown clients, as those from before a restart, count for all clients alone`() {
        let former = (0..<3).map { _ in record() }
        let records = Dictionary(uniqueKeysWithValues: former.map { ($0.id, $0) })
        var table = UploadTable(records, limits: UploadLimits(total: 4, perClient: 1))

        let problems = problems(adding: [one, other], to: &table)

        #expect(problems == [nil, .tooMany])
    }

    @Test func `Where clients cannot be distinguished only the limit of all holds`() {
        var table = UploadTable([:], limits: UploadLimits(total: 3, perClient: nil))

        let problems = problems(adding: [one, one, one, one], to: &table)

        #expect(problems == [nil, nil, nil, .tooMany])
    }

    @Test func `An upload that was removed is not added again by an update`() throws {
        var table = UploadTable([:], limits: UploadLimits())
        let upload = record()
        try table.add(upload, of: one)
        table.remove(upload.id)

        table.update(upload)

        #expect(table.all.isEmpty)
    }
}
