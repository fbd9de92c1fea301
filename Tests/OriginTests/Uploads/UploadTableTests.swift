import ServerStartup
import Testing

@testable import Origin

@Suite("Active uploads") struct UploadTableTests {
    private let one: ClientAddress
    private let other: ClientAddress

    init() throws {
        (one, other) = (try #require(ClientAddress("192.0.2.1")), try #require(ClientAddress("192.0.2.2")))
    }

    private func record() -> UploadRecord {
        UploadRecord(id: UploadRecord.makeID(), name: "file", createdAt: 0)
    }

    /// Adds an upload for each client and returns the problems in order.
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

    @Test func `The active uploads of each client are limited separately`() {
        var table = UploadTable([:], limits: UploadLimits(total: 10, perClient: 2))

        let problems = problems(adding: [one, one, one, other, other, other], to: &table)

        #expect(problems == [nil, nil, .tooManyUploadsPerClient(limit: 2), nil, nil, .tooManyUploadsPerClient(limit: 2)])
        #expect(table.all.count == 4)
    }

    @Test func `The active uploads of all clients are limited`() {
        var table = UploadTable([:], limits: UploadLimits(total: 4, perClient: 2))

        let problems = problems(adding: [one, one, other, nil, other, nil, one], to: &table)

        #expect(problems == [nil, nil, nil, nil, .tooManyUploads, .tooManyUploads, .tooManyUploadsPerClient(limit: 2)])
    }

    @Test(arguments: [false, true])
    func `An upload counts for its client until it is complete or removed`(isRemoved: Bool) throws {
        var table = UploadTable([:], limits: UploadLimits(total: 10, perClient: 1))
        var upload = record()
        try table.add(upload, of: one)
        upload.syncedLength = 1
        table.update(upload)
        let before = problems(adding: [one], to: &table)

        if isRemoved {
            table.remove(upload.id, length: 0)
        } else {
            upload.isComplete = true
            table.update(upload)
        }
        let after = problems(adding: [one], to: &table)

        #expect(before == [.tooManyUploadsPerClient(limit: 1)] && after == [nil])
        #expect((table[upload.id] == nil) == isRemoved)
    }

    @Test func `Uploads of unknown clients count only towards the total`() {
        let former = (0..<3).map { _ in record() }
        let records = Dictionary(uniqueKeysWithValues: former.map { ($0.id, $0) })
        var table = UploadTable(records, limits: UploadLimits(total: 4, perClient: 1))

        let problems = problems(adding: [one, other], to: &table)

        #expect(problems == [nil, .tooManyUploads])
    }

    @Test func `Without a client limit only the total limit applies`() {
        var table = UploadTable([:], limits: UploadLimits(total: 3, perClient: nil))

        let problems = problems(adding: [one, one, one, one], to: &table)

        #expect(problems == [nil, nil, nil, .tooManyUploads])
    }

    @Test func `Content and overheads of uploads occupy space until they are removed`() throws {
        let overhead = UploadLimits.overhead
        var table = UploadTable([:], limits: UploadLimits(space: 2 * overhead + 10))
        var upload = record()
        try table.add(upload, of: one)
        try table.occupySpace(9)

        var excess = record()
        excess.length = 2
        #expect(throws: UploadProblem.noSpace(limit: 2 * overhead + 10)) { try table.add(excess, of: one) }
        excess.length = 1
        try table.add(excess, of: one)
        try table.occupySpace(1)
        #expect(throws: UploadProblem.noSpace(limit: 2 * overhead + 10)) { try table.occupySpace(1) }
        upload.isComplete = true
        table.update(upload)
        table.remove(upload.id, length: 0)
        #expect(table.usedSpace == 2 * overhead + 10)
        table.remove(excess.id, length: 1)
        table.remove(excess.id, length: 1)
        #expect(table.usedSpace == overhead + 9)
    }

    @Test func `An upload that was removed is not added again by an update`() throws {
        var table = UploadTable([:], limits: UploadLimits())
        let upload = record()
        try table.add(upload, of: one)
        table.remove(upload.id, length: 0)

        table.update(upload)

        #expect(table.all.isEmpty)
    }
}
