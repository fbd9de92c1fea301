import Foundation
import Synchronization

/// A resolver of host names to addresses.
public struct HostResolver: Sendable {
    private let resolve: @Sendable (String) async throws -> [IPAddress]

    /// Creates a resolver from a function.
    ///
    /// - Parameter lookUp: Returns the addresses of a name; throws at once when its task is cancelled.
    public init(_ lookUp: nonisolated(nonsending) @escaping @Sendable (String) async throws -> [IPAddress]) {
        self.resolve = lookUp
    }

    /// Returns the addresses of a host, which is a name or a numeric address in any notation, in the order of the resolver.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, and the errors of the resolver.
    public nonisolated(nonsending) func addresses(of host: String) async throws -> [IPAddress] { try await resolve(host) }
}

// MARK: - System resolver

extension HostResolver {
    /// An error of `getaddrinfo`.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32

        var description: String { String(cString: gai_strerror(code)) }
    }

    /// The maximum number of concurrent lookups; the system blocks one thread for each.
    private static let lookupLimit = 4

    /// Returns the resolver of the operating system, `getaddrinfo`, with at most four lookups at once; it throws for an unknown name.
    public static func system() -> HostResolver {
        let threads = OperationQueue()
        threads.maxConcurrentOperationCount = lookupLimit
        // Without it the system runs lookups in the background, and visible requests wait for them.
        threads.qualityOfService = .userInitiated
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
        // Without a socket type each address would be listed once per type. The constant is an enum in Glibc, a number elsewhere.
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

/// A lookup whose waiter can be cancelled; the system's result is dropped then.
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

    /// Returns whether to look up; false when the lookup was cancelled before it began.
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
    /// Creates an address from that of a socket; nil for other address families.
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
