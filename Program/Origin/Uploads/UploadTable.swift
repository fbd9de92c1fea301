import ServerStartup

/// The uploads of an origin, and the clients of active ones. It is the state behind the lock of `UploadStore`.
///
/// Clients are not persisted: uploads from before a restart count towards no client.
struct UploadTable: Sendable {
    private let limits: UploadLimits
    private var records: [String: UploadRecord]
    /// The clients by the ids of their uploads.
    private var clients: [String: ClientAddress] = [:]

    init(_ records: [String: UploadRecord], limits: UploadLimits) {
        (self.records, self.limits) = (records, limits)
    }

    var all: [UploadRecord] { Array(records.values) }

    subscript(id: String) -> UploadRecord? { records[id] }

    /// Adds an upload, which is active until it is complete or removed.
    ///
    /// - Parameter client: Nil where it is unknown: then only the limit of all clients applies.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient` or `.tooManyUploads`, without adding the upload.
    mutating func add(_ record: UploadRecord, of client: ClientAddress?) throws(UploadProblem) {
        let active = records.values.filter { !$0.isComplete }
        if let client, let limit = limits.perClient, active.count(where: { clients[$0.id] == client }) >= limit {
            throw .tooManyUploadsPerClient(limit: limit)
        }
        guard active.count < limits.total else { throw .tooManyUploads }
        records[record.id] = record
        clients[record.id] = client
    }

    /// Updates the record of an upload, unless it was removed.
    mutating func update(_ record: UploadRecord) {
        if records[record.id] != nil { records[record.id] = record }
    }

    mutating func remove(_ id: String) {
        records[id] = nil
        clients[id] = nil
    }
}
