/// Knows whether somebody can see the program, and tells when that changes.
public protocol AppLifecycle: Sendable {
    var phase: AppPhase { get }

    /// The phase as it is, and then whenever it has changed; each call gives a sequence of its own.
    ///
    /// A reader that is slow misses phases, never the newest. The sequence ends when there will be no other.
    func phases() -> AsyncStream<AppPhase>
}

/// How much attention a program has.
public enum AppPhase: Sendable {
    /// Somebody uses it.
    case active
    /// It can be seen, but something else is used.
    case inactive
    /// It cannot be seen, and may be stopped at any time.
    case background
}

/// A program that is always in use: for servers and command lines.
public struct AlwaysActive: AppLifecycle {
    public init() {}

    public var phase: AppPhase { .active }

    public func phases() -> AsyncStream<AppPhase> { .just(phase) }
}

extension AsyncStream where Element: Sendable {
    /// One element, and no other.
    static func just(_ element: Element) -> AsyncStream {
        let (stream, continuation) = makeStream()
        continuation.yield(element)
        continuation.finish()
        return stream
    }
}
