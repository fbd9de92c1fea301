import Foundation
import HTTPTypes
import LadingHTTP
import Synchronization

/// What a `FirebaseServer` knows, and who answers which request.
final class FirebaseDesk: Sendable {
    struct State {
        var accounts: FirebaseAccounts
        var tree = FirebaseTree()
        var shelf: FirebaseShelf
        var streams: [FirebaseStream] = []
        var mayRead: FirebaseServer.Rule = { _, _ in true }
        var mayWrite: FirebaseServer.Rule = { _, _ in true }
        /// What the next requests are answered with.
        var failures: [HTTPResponse.Status] = []
        /// Where streams are sent.
        var streamHost: String?
    }

    let now: @Sendable () -> Date
    let streamCount = Watched(0)
    private let state: Mutex<State>

    init(bucket: String, accounts: FirebaseAccounts, now: @escaping @Sendable () -> Date) {
        self.now = now
        state = Mutex(State(accounts: accounts, shelf: FirebaseShelf(bucket: bucket)))
    }

    func change<Outcome: Sendable>(_ body: (inout State) -> Outcome) -> Outcome { state.withLock { body(&$0) } }

    // MARK: Answering

    func steps(for request: ReceivedRequest) -> [ScriptedServer.Step] {
        let question = FirebaseQuestion(request)
        let now = now()
        let steps: [ScriptedServer.Step] = state.withLock { state in
            if !state.failures.isEmpty { return [.send(FirebaseAnswer.problem(state.failures.removeFirst(), "Out of order").bytes)] }
            if question.path.hasPrefix("identitytoolkit.") || question.path.hasPrefix("securetoken.") {
                return [.send(state.accounts.answer(question, at: now).bytes)]
            }
            if let name = state.shelf.name(in: question) { return files(question, name, &state, now) }
            guard let path = Self.path(question) else {
                return [.send(FirebaseAnswer.refusal(.badRequest, "Invalid path: Invalid token in path").bytes)]
            }
            return data(question, path, &state, now)
        }
        tellCount()
        return steps
    }

    /// The keys of a path that ends with `.json`; nil when one of them cannot be.
    private static func path(_ question: FirebaseQuestion) -> [String]? {
        guard question.path.hasSuffix(".json") else { return nil }
        let keys = question.path.dropLast(5).split(separator: "/").compactMap { String($0).removingPercentEncoding }
        return (try? DatabasePath(keys))?.keys
    }

    private func files(_ question: FirebaseQuestion, _ name: String, _ state: inout State, _ now: Date) -> [ScriptedServer.Step] {
        let verdict = state.accounts.verdict(question.credential("Firebase", "Bearer"), at: now)
        guard case .good(let user) = verdict else { return [.send(FirebaseAnswer.problem(.unauthorized, "Invalid token.").bytes)] }
        let rule = question.method == "GET" ? state.mayRead : state.mayWrite
        guard rule(name.split(separator: "/").map(String.init), user) else {
            return [.send(FirebaseAnswer.problem(.forbidden, "Permission denied.").bytes)]
        }
        let (answer, breaks) = state.shelf.answer(question, name, at: now)
        // In the middle of a reply: without any, a client may take the connection for stale and quietly ask again.
        return breaks ? [.send("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno"), .hangUp] : [.send(answer.bytes)]
    }

    private func data(_ question: FirebaseQuestion, _ path: [String], _ state: inout State, _ now: Date) -> [ScriptedServer.Step] {
        let verdict = state.accounts.verdict(question.query["auth"], at: now)
        guard case .good(let user) = verdict else {
            let reason = verdict == .expired ? "Auth token is expired" : "Could not parse auth token."
            return [.send(FirebaseAnswer.refusal(.unauthorized, reason).bytes)]
        }
        let isReading = question.method == "GET"
        guard (isReading ? state.mayRead : state.mayWrite)(path, user) else {
            return [.send(FirebaseAnswer.refusal(.unauthorized, "Permission denied").bytes)]
        }
        guard isReading else {
            let (answer, change) = state.tree.write(question, at: path, now: now)
            if let change { for stream in state.streams { stream.tell(change, in: state.tree) } }
            return [.send(answer.bytes)]
        }
        let isStream = question["Accept"]?.contains("text/event-stream") ?? false
        return isStream ? open(question, path, &state) : [.send(state.tree.read(question, at: path).bytes)]
    }

    // MARK: Streams

    private func open(_ question: FirebaseQuestion, _ path: [String], _ state: inout State) -> [ScriptedServer.Step] {
        let host = question["Host"] ?? ""
        if let name = state.streamHost, !host.hasPrefix(name + ":") {
            let place = "http://\(name):\(host.split(separator: ":").last ?? "")\(question.request.target)"
            return [.send(FirebaseAnswer(status: .temporaryRedirect, fields: [("Location", place)]).bytes)]
        }
        do { _ = try FirebaseSelection(question.query) } catch { return [.send(FirebaseAnswer.refusal(.badRequest, error.reason).bytes)] }
        let stream = FirebaseStream(path, question, of: state.tree)
        state.streams.append(stream)
        let fields = [
            ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-cache"), ("Transfer-Encoding", "chunked"),
        ]
        return [
            .send(FirebaseAnswer.head(.ok, fields)),
            .sendLive(.init(next: { stream.next() }, left: { [weak self] in self?.drop(stream) })),
        ]
    }

    func write(_ value: JSONValue, at path: [String]) {
        let now = now()
        state.withLock { state in
            let change = state.tree.set(value, at: path, now)
            for stream in state.streams { stream.tell(change, in: state.tree) }
        }
    }

    /// Ends streams that may no longer be read, or whose token is no longer good.
    func judgeStreams() {
        let now = now()
        state.withLock { state in
            state.streams.removeAll { stream in
                guard case .good(let user) = state.accounts.verdict(stream.token, at: now) else {
                    stream.send("auth_revoked", "Auth token is expired")
                    stream.end()
                    return true
                }
                guard state.mayRead(stream.path, user) else {
                    stream.send("cancel", .null)
                    stream.end()
                    return true
                }
                return false
            }
        }
        tellCount()
    }

    func endStreams() {
        state.withLock { state in
            for stream in state.streams { stream.end() }
            state.streams = []
        }
        tellCount()
    }

    private func drop(_ stream: FirebaseStream) {
        state.withLock { $0.streams.removeAll { $0 === stream } }
        tellCount()
    }

    private func tellCount() {
        let count = state.withLock { $0.streams.count }
        streamCount.change { $0 = count }
    }
}
