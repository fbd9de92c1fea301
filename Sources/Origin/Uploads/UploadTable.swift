import ServerStartup

/// The uploads that an origin knows, and the clients of those under way. A value for the lock of `UploadStore`.
///
/// Clients are in memory alone: uploads from before a restart count for none.
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

    /// Adds an upload, which counts as under way until it is complete or removed.
    ///
    /// - Parameter client: nil where it is not known: only the limit of all clients holds then.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient` or `.tooMany`; the upload is not added then.
    mutating func add(_ record: UploadRecord, of client: ClientAddress?) throws(UploadProblem) {
        let active = records.values.filter { !$0.isComplete }
        if let client, let limit = limits.perClient, active.count(where: { clients[$0.id] == client }) >= limit {
            throw .tooManyUploadsPerClient(limit: limit)
        }
        guard active.count < limits.total else { throw .tooManyUploads }
        records[record.id] = record
        clients[record.id] = client
    }

    /// Replaces what is known of an upload, unless it has been removed.
    mutating func update(_ record: UploadRecord) {
        if records[record.id] != nil { records[record.id] = record }
    }

    mutating func remove(_ id: String) {
        records[id] = nil
        clients[id] = nil
    }
}
