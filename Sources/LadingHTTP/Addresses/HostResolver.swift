import Foundation
import Synchronization

/// Finds the addresses of a host.
public struct HostResolver: Sendable {
    private let resolve: @Sendable (String) async throws -> [IPAddress]

    /// - Parameter lookUp: Gives the addresses of a name; ends at once when its task is cancelled.
    public init(_ lookUp: nonisolated(nonsending) @escaping @Sendable (String) async throws -> [IPAddress]) {
        self.resolve = lookUp
    }

    /// The addresses of a host, written as a name or in any of the ways in which numbers are.
    public nonisolated(nonsending) func addresses(of host: String) async throws -> [IPAddress] { try await resolve(host) }
}

// MARK: - The system's resolver

extension HostResolver {
    /// Why the system found no address.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32

        var description: String { String(cString: gai_strerror(code)) }
    }

    /// How many names are looked up at once; the system holds a thread for each.
    private static let lookupLimit = 4

    /// The resolver of the operating system, `getaddrinfo`.
    public static func system() -> HostResolver {
        let threads = OperationQueue()
        threads.maxConcurrentOperationCount = lookupLimit
        return HostResolver { host in
            let lookup = Lookup()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard lookup.begin(continuation) else { return }
                    threads.addOperation { if lookup.isWaiting { lookup.end(with: Result { try systemAddresses(of: host) }) } }
                }
            } onCancel: {
                lookup.end(with: .failure(CancellationError()))
            }
        }
    }

    private static func systemAddresses(of host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        // With any other kind each address would be reported once for each kind of socket. The constant is an enum in Glibc, a number elsewhere.
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { throw Failure(code: code) }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr.flatMap({ IPAddress(socketAddress: $0) }) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses
    }
}

/// One look-up, which whoever waits for it may leave; what the system answers then is dropped.
private final class Lookup: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<[IPAddress], any Error>)
        case ended
    }

    private let state = Mutex(State.new)

    var isWaiting: Bool {
        state.withLock { if case .waiting = $0 { true } else { false } }
    }

    /// Says whether to look up at all; not when it was left before it began.
    func begin(_ continuation: CheckedContinuation<[IPAddress], any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: CancellationError()) }
        return isNew
    }

    func end(with result: Result<[IPAddress], any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<[IPAddress], any Error>? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation } else { return nil }
        }
        waiting?.resume(with: result)
    }
}

extension IPAddress {
    /// Reads the address out of a socket's.
    fileprivate init?(socketAddress: UnsafePointer<sockaddr>) {
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET:
            let address = UnsafeRawPointer(socketAddress).loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = UnsafeRawPointer(socketAddress).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        default: return nil
        }
    }
}
