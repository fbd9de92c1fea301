import Foundation

@testable import LadingFirebaseTesting
@testable import ScriptedServers

extension FuzzInput {
    /// Reads the requests of a connection, and responds to them. The bytes arrive together, or in parts whose length is the first byte.
    func parseTestRequests() {
        let content = Array(bytes.dropFirst())
        let length = max(1, Int(bytes.first ?? 1))
        let parts = stride(from: 0, to: content.count, by: length).map { Array(content[$0..<min($0 + length, content.count)]) }
        let requests = Self.requests(in: parts)
        let whole = Self.requests(in: [content])
        precondition(requests.map(Self.texts) == whole.map(Self.texts), "the parts of a connection do not matter")
        respond(to: requests)
    }

    private static func requests(in parts: [[UInt8]]) -> [ReceivedRequest] {
        var rest = parts[...]
        var reader = RequestReader { rest.popFirst() }
        var requests: [ReceivedRequest] = []
        while let head = reader.nextHead(), let request = reader.complete(head) { requests.append(request) }
        return requests
    }

    /// The texts of a request, to compare it.
    private static func texts(of request: ReceivedRequest) -> [String] {
        [request.method, request.target] + request.fields.flatMap { [$0.name, $0.value] } + ["\(request.body)"]
    }

    private func respond(to requests: [ReceivedRequest]) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let emulator = FirebaseEmulator(bucket: "b", accounts: FirebaseAccounts(lifetime: .seconds(3_600)), now: { now })
        emulator.change { state in
            _ = state.accounts.add("ada@example.org", "secret")
            state.files.put([1, 2, 3], as: "a/b", type: "text/plain", at: now)
        }
        for request in requests { precondition(!emulator.steps(for: request).isEmpty, "a request has a response") }
    }
}
