#if PostgreSQL
    internal import CPostgreSQL
    import Foundation

    /// A connection of libpq, which one thread uses at a time.
    ///
    /// Statements are sent together in pipeline mode and form one transaction, so that each batch is one round trip.
    struct Connection: ~Copyable {
        /// The maximum number of prepared statements; the texts of a program are fewer.
        private static let preparedLimit = 500
        /// The time between two checks whether the answer to a write that has timed out is still needed.
        private static let answerInterval = Duration.milliseconds(500)

        private let handle: OpaquePointer
        /// The names of prepared statements by their text.
        private var prepared: [String: String] = [:]
        private let notices = ServerNotices()
        /// The right to cancel the running statement from another thread.
        let cancellation: Cancellation

        /// Connects to the first suitable host.
        ///
        /// - Throws: `PostgreSQLError.unreachable`.
        init(_ configuration: PostgreSQLConfiguration) throws {
            let texts = configuration.connectionParameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            let keys = stride(from: 0, to: copies.count, by: 2).map { UnsafePointer(copies[$0]) } + [nil]
            let values = stride(from: 1, to: copies.count, by: 2).map { UnsafePointer(copies[$0]) } + [nil]
            guard let handle = PQconnectdbParams(keys, values, 0) else { throw PostgreSQLError.unreachable("out of memory") }
            guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1,
                let cancellation = Cancellation(handle)
            else {
                defer { PQfinish(handle) }
                throw PostgreSQLError.unreachable(Self.message(of: handle))
            }
            self.handle = handle
            self.cancellation = cancellation
            let notices = Unmanaged.passUnretained(notices).toOpaque()
            _ = PQsetNoticeReceiver(
                handle,
                { pointer, result in
                    guard let pointer else { return }
                    Unmanaged<ServerNotices>.fromOpaque(pointer).takeUnretainedValue().record(result)
                }, notices)
        }

        deinit { PQfinish(handle) }

        /// Whether the connection can be used: of a connection that the server has ended meanwhile there is more to read.
        var isUsable: Bool {
            while PQstatus(handle) == CONNECTION_OK, !notices.hasEnded {
                var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
                if poll(&descriptor, 1, 0) == 0 { return true }
                // The second call reads the notices in the input.
                guard PQconsumeInput(handle) == 1, PQisBusy(handle) == 0 else { return false }
            }
            return false
        }

        /// Whether a transaction that was begun before goes on.
        var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }

        private static func message(of handle: OpaquePointer) -> String {
            let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            // Indented lines are questions to the reader, such as whether the server is running.
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("\t") }
            return lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    /// An error of a write that the server has not answered in time, and may still execute. `Connection.awaitAnswer` waits for its end.
    struct UnansweredWrite: Error {}

    // MARK: - Statements

    extension Connection {
        /// The effect of a statement, which decides what a lost answer means.
        enum Effect: Sendable {
            /// The statement changes nothing.
            case read
            /// The statement may have changed something.
            case write
        }

        /// Executes statements in one transaction and one round trip.
        ///
        /// - Parameter limit: The maximum time of each statement.
        /// - Returns: The rows of each statement.
        /// - Throws: `PostgreSQLError`, `UnansweredWrite`. The connection cannot be used after any other than `refused`.
        mutating func execute(_ statements: [PostgreSQLStatement], effect: Effect, limit: Duration) throws -> [PostgreSQLRows] {
            notices.reset()
            let exchange = Exchange(limit: limit, effect: effect)
            var (rows, rejection): ([PostgreSQLRows], PostgreSQLError.Rejection?) = ([], nil)
            for step in try send(statements, effect) {
                switch try result(of: step, exchange) {
                case .rows(let result): rows.append(result)
                case .rejection(let reason): rejection = rejection ?? reason
                case .preparation, .skipped: break
                }
            }
            try receiveSync(exchange)
            if let rejection { throw try error(of: rejection, exchange) }
            try checkReplication(effect)
            return rows
        }

        /// The conditions under which results are awaited.
        private struct Exchange {
            /// The time that the server needs beyond the limit of a statement to refuse it.
            private static let reserve = Duration.seconds(5)

            let limit: Duration
            let effect: Effect

            /// Returns the deadline of a result that is awaited from now on.
            func nextDeadline() -> ContinuousClock.Instant { .now + limit + Self.reserve }
        }

        /// The result of a step of a pipeline.
        private enum StepResult {
            case rows(PostgreSQLRows)
            case preparation
            /// An earlier step was refused.
            case skipped
            case rejection(PostgreSQLError.Rejection)
        }

        private mutating func result(of step: PipelineStep, _ exchange: Exchange) throws -> StepResult {
            guard let result = try nextResult(exchange) else { throw lost("no result", exchange.effect) }
            let status = PQresultStatus(result)
            // The end of the results of one step.
            if let extra = try nextResult(exchange) { PQclear(extra) }
            if step.isStatement, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return .rows(PostgreSQLRows(result)) }
            defer { PQclear(result) }
            if status == PGRES_COMMAND_OK { return .preparation }
            removePrepared(step)
            return status == PGRES_PIPELINE_ABORTED ? .skipped : .rejection(PostgreSQLError.Rejection(result))
        }

        /// Ends a refused transaction, and returns the error for its caller.
        private mutating func error(of rejection: PostgreSQLError.Rejection, _ exchange: Exchange) throws -> PostgreSQLError {
            if rejection.state.endsConnection { return lost(rejection.message, exchange.effect) }
            if PQtransactionStatus(handle) == PQTRANS_INERROR { try execute("ROLLBACK", exchange) }
            if rejection.state == .featureNotSupported {
                // A column was added to a table: statements that were prepared before are refused from then on.
                prepared = [:]
                try execute("DEALLOCATE ALL", exchange)
            }
            return .refused(rejection)
        }

        private func execute(_ command: String, _ exchange: Exchange) throws {
            guard PQsendQueryParams(handle, command, 0, nil, nil, nil, nil, 0) == 1, PQpipelineSync(handle) == 1 else {
                throw lost(exchange.effect)
            }
            while let result = try nextResult(exchange) { PQclear(result) }
            try receiveSync(exchange)
        }

        private func checkReplication(_ effect: Effect) throws {
            guard effect == .write, notices.hasIncompleteReplication else { return }
            throw PostgreSQLError.outcomeUnknown("the commit was not replicated to the standby")
        }

        /// A part of a pipeline with a result of its own.
        private struct PipelineStep {
            /// The text of a prepared statement; nil for the execution of a statement.
            let preparation: String?
            var isStatement: Bool { preparation == nil }
        }

        private mutating func removePrepared(_ step: PipelineStep) {
            if let text = step.preparation { prepared[text] = nil }
        }

        /// Sends statements, and prepares those that are new to the connection.
        private mutating func send(_ statements: [PostgreSQLStatement], _ effect: Effect) throws -> [PipelineStep] {
            var steps: [PipelineStep] = []
            for statement in statements {
                let sql = statement.sql
                let name: String
                if let known = prepared[sql] {
                    name = known
                } else {
                    name = prepared.count < Self.preparedLimit ? "s\(prepared.count)-\(UInt32.random(in: 0...(.max)))" : ""
                    guard PQsendPrepare(handle, name, sql, 0, nil) == 1 else { throw lost(effect) }
                    if !name.isEmpty { prepared[sql] = name }
                    steps.append(PipelineStep(preparation: sql))
                }
                try send(statement.values, toPrepared: name, effect)
                steps.append(PipelineStep(preparation: nil))
            }
            guard PQpipelineSync(handle) == 1 else { throw lost(effect) }
            return steps
        }

        private func send(_ values: [PostgreSQLValue], toPrepared name: String, _ effect: Effect) throws {
            var bytes: [UInt8] = []
            var ranges: [(start: Int, length: Int, isBinary: Bool)?] = []
            for value in values {
                switch value {
                case .null: ranges.append(nil)
                case .text(let text):
                    ranges.append((bytes.count, text.utf8.count, false))
                    // PostgreSQL cannot store the character zero.
                    bytes += text.utf8.lazy.map { $0 == 0 ? UInt8(ascii: "?") : $0 }
                    bytes.append(0)
                case .bytes(let content):
                    ranges.append((bytes.count, content.count, true))
                    bytes += content
                }
            }
            let lengths = ranges.map { Int32($0?.length ?? 0) }
            let formats = ranges.map { $0?.isBinary == true ? Int32(1) : 0 }
            // An empty array has no address.
            bytes.append(0)
            let isSent = bytes.withUnsafeBytes { memory in
                let pointers = ranges.map { range in
                    range.flatMap { memory.baseAddress?.advanced(by: $0.start).assumingMemoryBound(to: CChar.self) }
                }
                return PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 0) == 1
            }
            guard isSent else { throw lost(effect) }
        }

        private func receiveSync(_ exchange: Exchange) throws {
            while let result = try nextResult(exchange) {
                defer { PQclear(result) }
                if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return }
            }
            throw lost("no end of the results", exchange.effect)
        }

        private func nextResult(_ exchange: Exchange) throws -> OpaquePointer? {
            do {
                return try nextResult(before: exchange.nextDeadline(), exchange.effect)
            } catch PostgreSQLError.timedOut where exchange.effect == .write {
                throw UnansweredWrite()
            }
        }

        private func nextResult(before deadline: ContinuousClock.Instant, _ effect: Effect) throws -> OpaquePointer? {
            while true {
                let isFlushed = PQflush(handle)
                guard isFlushed >= 0 else { throw lost(effect) }
                guard isFlushed == 1 || PQisBusy(handle) == 1 else { return PQgetResult(handle) }
                try wait(for: Int16(POLLIN) | (isFlushed == 1 ? Int16(POLLOUT) : 0), before: deadline, effect)
                guard PQconsumeInput(handle) == 1 else { throw lost(effect) }
            }
        }

        /// - Throws: `PostgreSQLError.timedOut` at the deadline.
        private func wait(for events: Int16, before deadline: ContinuousClock.Instant, _ effect: Effect) throws {
            var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            while true {
                let remaining = (deadline - .now).milliseconds
                guard remaining > 0 else { throw PostgreSQLError.timedOut }
                let count = poll(&descriptor, 1, Int32(clamping: remaining))
                if count > 0 { return }
                if count < 0, errno != EINTR { throw lost(String(cString: strerror(errno)), effect) }
            }
        }

        /// Waits until the server has answered a write that has timed out, or the connection is lost.
        ///
        /// - Parameter isNeeded: Called at intervals; the wait ends when it returns false.
        func awaitAnswer(while isNeeded: () -> Bool) {
            while isNeeded(), PQtransactionStatus(handle) == PQTRANS_ACTIVE {
                do {
                    guard let result = try nextResult(before: .now + Self.answerInterval, .write) else { continue }
                    defer { PQclear(result) }
                    // The server waits for rows, which nobody sends any more.
                    if PQresultStatus(result) == PGRES_COPY_IN { return }
                } catch PostgreSQLError.timedOut { continue } catch { return }
            }
        }

        private func lost(_ effect: Effect) -> PostgreSQLError { lost(Self.message(of: handle), effect) }

        private func lost(_ reason: String, _ effect: Effect) -> PostgreSQLError {
            effect == .read ? .interrupted(reason) : .outcomeUnknown(reason)
        }
    }

    // MARK: - Copying

    extension Connection {
        /// Inserts rows by `COPY`, in one transaction.
        ///
        /// - Parameter statement: A statement `COPY … FROM STDIN`.
        /// - Throws: `PostgreSQLError`, `UnansweredWrite`. The connection cannot be used after any other than `refused`.
        mutating func copy(_ statement: String, _ lines: some Sequence<[UInt8]>, limit: Duration) throws {
            notices.reset()
            let exchange = Exchange(limit: limit, effect: .write)
            guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, statement) == 1 else { throw lost(.write) }
            guard let start = try nextResult(exchange) else { throw lost("no result", .write) }
            var rejection = PQresultStatus(start) == PGRES_COPY_IN ? nil : PostgreSQLError.Rejection(start)
            PQclear(start)
            if rejection == nil { try send(lines, before: exchange.nextDeadline()) }
            while let result = try nextResult(exchange) {
                if PQresultStatus(result) != PGRES_COMMAND_OK { rejection = rejection ?? PostgreSQLError.Rejection(result) }
                PQclear(result)
            }
            guard PQenterPipelineMode(handle) == 1 else { throw lost(.write) }
            if let rejection { throw try error(of: rejection, exchange) }
            try checkReplication(.write)
        }

        private func send(_ lines: some Sequence<[UInt8]>, before deadline: ContinuousClock.Instant) throws {
            for line in lines {
                let isQueued = line.withUnsafeBytes { bytes in
                    PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
                }
                guard isQueued >= 0 else { throw lost(.write) }
                try flush(before: deadline)
            }
            guard PQputCopyEnd(handle, nil) >= 0 else { throw lost(.write) }
        }

        /// Waits until all that was queued is sent, so that the buffer of libpq stays small.
        private func flush(before deadline: ContinuousClock.Instant) throws {
            while true {
                let remaining = PQflush(handle)
                guard remaining >= 0 else { throw lost(.write) }
                guard remaining == 1 else { return }
                do {
                    try wait(for: Int16(POLLIN) | Int16(POLLOUT), before: deadline, .write)
                } catch PostgreSQLError.timedOut {
                    // No answer is awaited, because the server commits nothing before the end of the rows.
                    throw lost("the database did not accept the rows in time", .write)
                }
                guard PQconsumeInput(handle) == 1 else { throw lost(.write) }
            }
        }
    }

    extension PostgreSQLError.Rejection {
        fileprivate init(_ result: OpaquePointer) {
            func field(_ code: Character) -> String? {
                PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
            }
            self.init(state: SQLState(rawValue: field("C") ?? ""), message: field("M") ?? "no message", constraint: field("n"))
        }
    }

    // MARK: - Notifications

    extension Connection {
        /// Waits for notifications of a channel to which the connection listens.
        ///
        /// - Returns: Their contents; empty if there was none within the time limit.
        /// - Throws: `PostgreSQLError.interrupted`.
        func notifications(limit: Duration) throws -> [String] {
            let deadline = ContinuousClock.now + limit
            var contents: [String] = []
            while true {
                guard PQconsumeInput(handle) == 1 else { throw lost(.read) }
                while let notification = PQnotifies(handle) {
                    contents.append(String(cString: notification.pointee.extra))
                    PQfreemem(notification)
                }
                if !contents.isEmpty { return contents }
                do { try wait(for: Int16(POLLIN), before: deadline, .read) } catch PostgreSQLError.timedOut { return [] }
            }
        }
    }

    extension Duration {
        var milliseconds: Int { Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000) }
    }
#endif
