import Foundation
import HTTPTypes
import LadingFirebase
import LadingHTTP
import ScriptedServers
import Synchronization

/// The state of a `FirebaseServer`, and the routing of its requests.
final class FirebaseEmulator: Sendable {
    struct State {
        var accounts: FirebaseAccounts
        var tree = FirebaseTree()
        var files: FirebaseFiles
        var streams: [FirebaseStream] = []
        var mayRead: FirebaseServer.Rule = { _, _ in true }
        var mayWrite: FirebaseServer.Rule = { _, _ in true }
        /// The statuses of the responses to the next requests.
        var failures: [HTTPResponse.Status] = []
        /// The host to which streams are redirected.
        var streamHost: String?
    }

    let now: @Sendable () -> Date
    let streamCount = ObservableValue(0)
    private let state: Mutex<State>

    init(bucket: String, accounts: FirebaseAccounts, now: @escaping @Sendable () -> Date) {
        self.now = now
        state = Mutex(State(accounts: accounts, files: FirebaseFiles(bucket: bucket)))
    }

    func change<Outcome: Sendable>(_ body: (inout State) -> Outcome) -> Outcome { state.withLock { body(&$0) } }

    // MARK: Responses

    func steps(for request: ReceivedRequest) -> [ScriptedServer.Step] {
        let request = FirebaseRequest(request)
        let now = now()
        let steps: [ScriptedServer.Step] = state.withLock { state in
            if let refusal = Self.refusal(of: request, state) { return [.send(refusal.bytes)] }
            if !state.failures.isEmpty { return [.send(FirebaseResponse.serviceError(state.failures.removeFirst(), "Out of order").bytes)] }
            if request.path.hasPrefix("identitytoolkit.") || request.path.hasPrefix("securetoken.") {
                return [.send(state.accounts.respond(to: request, at: now).bytes)]
            }
            if let name = state.files.fileName(in: request) { return storageSteps(request, name, &state, now) }
            guard let path = Self.path(request) else {
                return [.send(FirebaseResponse.databaseError(.badRequest, "Invalid path: Invalid token in path").bytes)]
            }
            return databaseSteps(request, path, &state, now)
        }
        publishStreamCount()
        return steps
    }

    /// Returns the refusal of a request that a website in a browser of this machine may have caused; nil for any other request.
    private static func refusal(of request: FirebaseRequest, _ state: State) -> FirebaseResponse? {
        let host = request["Host"]?.split(separator: ":").first?.lowercased()
        guard let host, ["127.0.0.1", "localhost", state.streamHost?.lowercased()].contains(host) else {
            return .serviceError(.misdirectedRequest, "The host is not this server.")
        }
        let isFromPage = request["Origin"] != nil || !["none", nil].contains(request["Sec-Fetch-Site"])
        return isFromPage ? .serviceError(.forbidden, "Pages in a browser cannot use this server.") : nil
    }

    /// Returns the keys of a path that ends with `.json`; nil when one of them is invalid.
    private static func path(_ request: FirebaseRequest) -> [String]? {
        guard request.path.hasSuffix(".json") else { return nil }
        let keys = request.path.dropLast(5).split(separator: "/").compactMap { String($0).removingPercentEncoding }
        return (try? DatabasePath(keys))?.keys
    }

    private func storageSteps(_ request: FirebaseRequest, _ name: String, _ state: inout State, _ now: Date) -> [ScriptedServer.Step] {
        let tokenStatus = state.accounts.tokenStatus(request.credential("Firebase", "Bearer"), at: now)
        guard case .valid(let user) = tokenStatus else {
            return [.send(FirebaseResponse.serviceError(.unauthorized, "Invalid token.").bytes)]
        }
        let rule = request.method == "GET" ? state.mayRead : state.mayWrite
        guard rule(name.split(separator: "/").map(String.init), user) else {
            return [.send(FirebaseResponse.serviceError(.forbidden, "Permission denied.").bytes)]
        }
        let (response, breaks) = state.files.respond(to: request, name, at: now)
        // The connection breaks within a response: without any response, a client may consider the connection stale and retry silently.
        return breaks ? [.send("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno"), .close] : [.send(response.bytes)]
    }

    private func databaseSteps(_ request: FirebaseRequest, _ path: [String], _ state: inout State, _ now: Date) -> [ScriptedServer.Step] {
        let verdict = state.accounts.tokenStatus(request.query["auth"], at: now)
        guard case .valid(let user) = verdict else {
            let reason = verdict == .expired ? "Auth token is expired" : "Could not parse auth token."
            return [.send(FirebaseResponse.databaseError(.unauthorized, reason).bytes)]
        }
        let isReading = request.method == "GET"
        guard (isReading ? state.mayRead : state.mayWrite)(path, user) else {
            return [.send(FirebaseResponse.databaseError(.unauthorized, "Permission denied").bytes)]
        }
        guard isReading else {
            let (response, change) = state.tree.write(request, at: path, now: now)
            if let change { for stream in state.streams { stream.send(change, in: state.tree) } }
            return [.send(response.bytes)]
        }
        let isStream = request["Accept"]?.contains("text/event-stream") ?? false
        return isStream ? openStream(request, path, &state) : [.send(state.tree.read(request, at: path).bytes)]
    }

    // MARK: Streams

    private func openStream(_ request: FirebaseRequest, _ path: [String], _ state: inout State) -> [ScriptedServer.Step] {
        let host = request["Host"] ?? ""
        if let name = state.streamHost, !host.hasPrefix(name + ":") {
            let location = "http://\(name):\(host.split(separator: ":").last ?? "")\(request.received.target)"
            return [.send(FirebaseResponse(status: .temporaryRedirect, fields: [("Location", location)]).bytes)]
        }
        do { _ = try FirebaseQuery(request.query) } catch {
            return [.send(FirebaseResponse.databaseError(.badRequest, error.reason).bytes)]
        }
        let stream = FirebaseStream(path, request, of: state.tree)
        state.streams.append(stream)
        let fields = [
            ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-cache"), ("Transfer-Encoding", "chunked"),
        ]
        return [
            .send(FirebaseResponse.head(.ok, fields)),
            .sendStream(.init(next: { stream.next() }, onDisconnect: { [weak self] in self?.drop(stream) })),
        ]
    }

    func write(_ value: JSONValue, at path: [String]) {
        let now = now()
        state.withLock { state in
            guard let change = try? state.tree.set(value, at: path, now) else {
                preconditionFailure("the database refuses a key, a server value or a priority in the value")
            }
            for stream in state.streams { stream.send(change, in: state.tree) }
        }
    }

    /// Ends streams that may no longer be read, or whose token is no longer valid.
    func endUnauthorizedStreams() {
        let now = now()
        state.withLock { state in
            state.streams.removeAll { stream in
                guard case .valid(let user) = state.accounts.tokenStatus(stream.token, at: now) else {
                    stream.send("auth_revoked", "Auth token is expired")
                    stream.end()
                    return true
                }
                guard state.mayRead(stream.path, user) else {
                    stream.send("cancel", "Permission denied")
                    stream.end()
                    return true
                }
                return false
            }
        }
        publishStreamCount()
    }

    func endStreams() {
        state.withLock { state in
            for stream in state.streams { stream.end() }
            state.streams = []
        }
        publishStreamCount()
    }

    private func drop(_ stream: FirebaseStream) {
        state.withLock { $0.streams.removeAll { $0 === stream } }
        publishStreamCount()
    }

    private func publishStreamCount() {
        let count = state.withLock { $0.streams.count }
        streamCount.change { $0 = count }
    }
}
