import ServerStartup

/// The uploads of an origin, the clients of active ones, and the space of all. It is the state behind the lock of `UploadStore`.
///
/// Clients are not persisted: uploads from before a restart count towards no client.
struct UploadTable: Sendable {
    private struct Upload: Sendable {
        var record: UploadRecord
        /// Nil where it is unknown.
        var client: ClientAddress?
        /// The number of bytes of its content.
        var length = 0
        /// The time of its beginning, of its last byte or of the start of the origin, in seconds since 1970.
        var activeAt: Double

        func isExpired(at time: Double) -> Bool {
            if time - record.createdAt >= UploadRecord.lifetime { return true }
            guard !record.isComplete, length == 0 else { return false }
            return time - activeAt >= UploadRecord.emptyLifetime || time - record.createdAt >= UploadRecord.maxEmptyLifetime
        }
    }

    private let limits: UploadLimits
    private var uploads: [String: Upload]
    /// The number of bytes of all files and uploads, with their overheads.
    private(set) var usedSpace = 0

    init(_ records: [String: UploadRecord], limits: UploadLimits) {
        uploads = records.mapValues { Upload(record: $0, activeAt: $0.createdAt) }
        self.limits = limits
    }

    var all: [UploadRecord] { uploads.values.map(\.record) }

    private var active: [Upload] { uploads.values.filter { !$0.record.isComplete } }

    subscript(id: String) -> UploadRecord? { uploads[id]?.record }

    /// Sets the lengths of the contents of uploads and the space of all, as they are stored when the origin starts.
    mutating func restore(lengths: [String: Int], usedSpace: Int, at time: Double) {
        self.usedSpace = usedSpace
        for id in uploads.keys {
            uploads[id]?.length = lengths[id] ?? 0
            uploads[id]?.activeAt = time
        }
    }

    /// Adds an upload, which is active until it is complete or removed.
    ///
    /// - Parameter client: Nil where it is unknown: then only the limit of all clients applies.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient`, `.tooManyUploads` or `.noSpace`, without adding the upload.
    mutating func add(_ record: UploadRecord, of client: ClientAddress?) throws(UploadProblem) {
        if let problem = exceededLimit(for: client) { throw problem }
        try requireSpace(record.length ?? 0, besides: usedSpace + UploadLimits.overhead)
        usedSpace += UploadLimits.overhead
        uploads[record.id] = Upload(record: record, client: client, activeAt: record.createdAt)
    }

    /// Updates the record of an upload.
    ///
    /// - Returns: False if the upload was removed.
    @discardableResult
    mutating func update(_ record: UploadRecord) -> Bool {
        guard uploads[record.id] != nil else { return false }
        uploads[record.id]?.record = record
        return true
    }

    /// Counts the beginning of a request that appends to an upload as activity.
    ///
    /// - Throws: `UploadProblem.removed`.
    mutating func markActive(_ id: String, at time: Double) throws(UploadProblem) {
        guard uploads[id] != nil else { throw .removed }
        uploads[id]?.activeAt = time
    }

    /// Removes an upload, and releases its space unless its content is a file.
    mutating func remove(_ id: String) {
        guard let upload = uploads.removeValue(forKey: id), !upload.record.isComplete else { return }
        releaseSpace(UploadLimits.overhead + upload.length)
    }
}

// MARK: - Limits

extension UploadTable {
    /// Removes expired uploads, and the oldest complete ones beyond a limit.
    ///
    /// - Returns: The removed uploads.
    mutating func removeExpired(completeLimit: Int, at time: Double) -> [UploadRecord] {
        let expired = uploads.values.filter { $0.isExpired(at: time) }.map(\.record)
        for record in expired { remove(record.id) }
        let complete = all.filter(\.isComplete).sorted { ($0.completedAt ?? $0.createdAt) < ($1.completedAt ?? $1.createdAt) }
        let excess = complete.dropLast(completeLimit)
        for record in excess { remove(record.id) }
        return expired + excess
    }

    /// Removes idle uploads while another one of a client would exceed a limit.
    ///
    /// - Returns: The removed uploads.
    mutating func makeRoom(for client: ClientAddress?, at time: Double) -> [UploadRecord] {
        var removed: [UploadRecord] = []
        while let problem = exceededLimit(for: client), let record = idleUpload(for: client, problem, at: time) {
            remove(record.id)
            removed.append(record)
        }
        return removed
    }

    private func count(of client: ClientAddress?) -> Int { client == nil ? 0 : active.count { $0.client == client } }

    /// Returns the limit that another upload of a client would exceed.
    private func exceededLimit(for client: ClientAddress?) -> UploadProblem? {
        if let limit = limits.perClient, client != nil, count(of: client) >= limit { return .tooManyUploadsPerClient(limit: limit) }
        return active.count < limits.total ? nil : .tooManyUploads
    }

    /// Returns the upload that makes room for another one: of the client with most uploads the one without a byte for the longest time.
    ///
    /// A client at its own limit gives up one of its own, and no client one for another that has more uploads.
    private func idleUpload(for client: ClientAddress?, _ problem: UploadProblem, at time: Double) -> UploadRecord? {
        let counts = Dictionary(grouping: active, by: \.client).mapValues(\.count)
        let ownCount = count(of: client)
        let idle = active.filter { upload in
            guard time - upload.activeAt >= UploadRecord.idleTime else { return false }
            return problem == .tooManyUploads ? counts[upload.client, default: 0] >= ownCount : upload.client == client
        }
        return idle.min {
            let (first, second) = (counts[$0.client, default: 0], counts[$1.client, default: 0])
            return first == second ? $0.activeAt < $1.activeAt : first > second
        }?.record
    }
}

// MARK: - Space

extension UploadTable {
    /// Occupies space for content that arrives.
    ///
    /// - Throws: `UploadProblem.noSpace`, or `.removed` if the upload was removed.
    mutating func occupySpace(_ length: Int, of id: String, at time: Double) throws(UploadProblem) {
        guard var upload = uploads[id] else { throw .removed }
        try requireSpace(length, besides: usedSpace)
        usedSpace += length
        upload.length += length
        upload.activeAt = time
        uploads[id] = upload
    }

    /// Releases the space of content that could not be stored, unless it was released with its upload.
    mutating func releaseSpace(_ length: Int, of id: String) {
        guard uploads[id] != nil else { return }
        uploads[id]?.length -= length
        releaseSpace(length)
    }

    mutating func releaseSpace(_ length: Int) { usedSpace = max(0, usedSpace - length) }

    private func requireSpace(_ length: Int, besides used: Int) throws(UploadProblem) {
        guard length <= limits.space - used else { throw .noSpace(limit: limits.space) }
    }
}
