import ServerStartup
import Testing

@testable import Origin

@Suite("Active uploads") struct UploadTableTests {
    private let one: ClientAddress
    private let other: ClientAddress

    init() throws {
        (one, other) = (try #require(ClientAddress("192.0.2.1")), try #require(ClientAddress("192.0.2.2")))
    }

    private func record(at time: Double = 0) -> UploadRecord {
        UploadRecord(id: UploadRecord.makeID(), name: "file", createdAt: time)
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
            table.remove(upload.id)
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
        try table.occupySpace(9, of: upload.id, at: 0)

        var excess = record()
        excess.length = 2
        #expect(throws: UploadProblem.noSpace(limit: 2 * overhead + 10)) { try table.add(excess, of: one) }
        excess.length = 1
        try table.add(excess, of: one)
        try table.occupySpace(1, of: excess.id, at: 0)
        #expect(throws: UploadProblem.noSpace(limit: 2 * overhead + 10)) { try table.occupySpace(1, of: excess.id, at: 0) }
        upload.isComplete = true
        table.update(upload)
        table.remove(upload.id)
        #expect(table.usedSpace == 2 * overhead + 10)
        table.remove(excess.id)
        table.remove(excess.id)
        #expect(table.usedSpace == overhead + 9)
    }

    @Test func `Content of a removed upload occupies no space, and is not released twice`() throws {
        var table = UploadTable([:], limits: UploadLimits())
        let (removed, failed) = (record(), record())
        for upload in [removed, failed] {
            try table.add(upload, of: one)
            try table.occupySpace(5, of: upload.id, at: 0)
        }

        table.releaseSpace(5, of: failed.id)
        table.remove(removed.id)
        table.releaseSpace(5, of: removed.id)

        #expect(table.usedSpace == UploadLimits.overhead)
        #expect(throws: UploadProblem.removed) { try table.occupySpace(1, of: removed.id, at: 0) }
        #expect(throws: UploadProblem.removed) { try table.markActive(removed.id, at: 0) }
        #expect(table.usedSpace == UploadLimits.overhead)
    }

    // MARK: - Idle uploads

    /// Adds uploads that a client begins at times, and returns their ids.
    private func add(_ times: [Double], of client: ClientAddress?, to table: inout UploadTable) throws -> [String] {
        try times.map { time in
            let upload = record(at: time)
            try table.add(upload, of: client)
            try table.occupySpace(1, of: upload.id, at: time)
            return upload.id
        }
    }

    @Test func `The idle upload of the client with most uploads makes room, the one without a byte for the longest time`() throws {
        var table = UploadTable([:], limits: UploadLimits(total: 6))
        _ = try add([0, 0], of: one, to: &table)
        _ = try add([0], of: nil, to: &table)
        let many = try add([1, 2, 3], of: other, to: &table)
        try table.occupySpace(1, of: many[0], at: 4)
        let third = try #require(ClientAddress("192.0.2.3"))

        let removed = table.makeRoom(for: third, at: 650)
        let problems = problems(adding: [third, third], to: &table)

        #expect(removed.map(\.id) == [many[1]])
        #expect(problems == [nil, .tooManyUploads])
    }

    @Test func `An upload that receives bytes makes no room`() throws {
        var table = UploadTable([:], limits: UploadLimits(total: 1))
        let upload = try add([0], of: one, to: &table)[0]
        try table.occupySpace(1, of: upload, at: 500)

        let early = table.makeRoom(for: other, at: 1_099)
        let late = table.makeRoom(for: other, at: 1_100)

        #expect(early.isEmpty && late.map(\.id) == [upload])
    }

    @Test func `A client at its own limit gives up one of its own`() throws {
        var table = UploadTable([:], limits: UploadLimits(perClient: 2))
        _ = try add([0], of: one, to: &table)
        let own = try add([1, 700], of: other, to: &table)

        let removed = table.makeRoom(for: other, at: 700)

        #expect(removed.map(\.id) == [own[0]])
    }

    @Test func `No upload makes room for a client with more uploads`() throws {
        var table = UploadTable([:], limits: UploadLimits(total: 3))
        let few = try add([0], of: one, to: &table)
        _ = try add([700, 700], of: other, to: &table)
        let third = try #require(ClientAddress("192.0.2.3"))

        let forMany = table.makeRoom(for: other, at: 700)
        let problems = problems(adding: [other], to: &table)
        let forNone = table.makeRoom(for: third, at: 700)

        #expect(forMany.isEmpty && problems == [.tooManyUploads])
        #expect(forNone.map(\.id) == few)
    }

    @Test func `Uploads from before a restart count as active at the start`() {
        let former = record()
        var table = UploadTable([former.id: former], limits: UploadLimits(total: 1))
        table.restore(lengths: [former.id: 5], usedSpace: UploadLimits.overhead + 5, at: 1_000)

        let early = table.makeRoom(for: one, at: 1_599)
        let late = table.makeRoom(for: one, at: 1_600)

        #expect(early.isEmpty && late.map(\.id) == [former.id])
        #expect(table.usedSpace == 0)
    }

    @Test func `An upload that was removed is not added again by an update`() throws {
        var table = UploadTable([:], limits: UploadLimits())
        let upload = record()
        try table.add(upload, of: one)
        table.remove(upload.id)

        let isUpdated = table.update(upload)

        #expect(!isUpdated && table.all.isEmpty)
    }
}
