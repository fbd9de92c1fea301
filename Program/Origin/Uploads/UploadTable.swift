import ServerStartup

/// The uploads of an origin, the clients of active ones, and the space of all. It is the state behind the lock of `UploadStore`.
///
/// Clients are not persisted: uploads from before a restart count towards no client.
struct UploadTable: Sendable {
    private let limits: UploadLimits
    private var records: [String: UploadRecord]
    /// The clients by the ids of their uploads.
    private var clients: [String: ClientAddress] = [:]
    /// The number of bytes of all files and uploads, with their overheads.
    var usedSpace = 0

    init(_ records: [String: UploadRecord], limits: UploadLimits) {
        (self.records, self.limits) = (records, limits)
    }

    var all: [UploadRecord] { Array(records.values) }

    subscript(id: String) -> UploadRecord? { records[id] }

    /// Adds an upload, which is active until it is complete or removed.
    ///
    /// - Parameter client: Nil where it is unknown: then only the limit of all clients applies.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient`, `.tooManyUploads` or `.noSpace`, without adding the upload.
    mutating func add(_ record: UploadRecord, of client: ClientAddress?) throws(UploadProblem) {
        let active = records.values.filter { !$0.isComplete }
        if let client, let limit = limits.perClient, active.count(where: { clients[$0.id] == client }) >= limit {
            throw .tooManyUploadsPerClient(limit: limit)
        }
        guard active.count < limits.total else { throw .tooManyUploads }
        try requireSpace(record.length ?? 0, besides: usedSpace + UploadLimits.overhead)
        usedSpace += UploadLimits.overhead
        records[record.id] = record
        clients[record.id] = client
    }

    /// Updates the record of an upload, unless it was removed.
    mutating func update(_ record: UploadRecord) {
        if records[record.id] != nil { records[record.id] = record }
    }

    /// Removes an upload.
    ///
    /// - Parameter length: The length of its content, unless that is a file.
    mutating func remove(_ id: String, length: Int) {
        if records[id]?.isComplete == false { releaseSpace(UploadLimits.overhead + length) }
        records[id] = nil
        clients[id] = nil
    }

    /// Occupies space for content that arrives.
    ///
    /// - Throws: `UploadProblem.noSpace`.
    mutating func occupySpace(_ length: Int) throws(UploadProblem) {
        try requireSpace(length, besides: usedSpace)
        usedSpace += length
    }

    mutating func releaseSpace(_ length: Int) { usedSpace = max(0, usedSpace - length) }

    private func requireSpace(_ length: Int, besides used: Int) throws(UploadProblem) {
        guard length <= limits.space - used else { throw .noSpace(limit: limits.space) }
    }
}
