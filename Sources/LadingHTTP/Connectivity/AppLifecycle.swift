/// A source of the phase of the program, such as in use or in the background.
///
/// A `StateSource` is one whose phase the program sets; an `AppActivity` is also for an app that works in the background.
public protocol AppLifecycle: Sendable {
    var phase: AppPhase { get }

    /// Returns the current phase, and then each change; each call returns a separate sequence.
    ///
    /// A slow reader misses phases, but never the newest. The sequence ends when no further phase follows.
    func phases() -> AsyncStream<AppPhase>
}

/// The phase of a program: in use, visible or in the background.
public enum AppPhase: Sendable {
    /// The program is in use.
    case active
    /// The program is visible, but another one is in use.
    case inactive
    /// The program is not visible, and may be stopped at any time.
    case background
}

/// A lifecycle that is always active, for servers and command lines.
public struct AlwaysActive: AppLifecycle {
    public init() {}

    public var phase: AppPhase { .active }

    public func phases() -> AsyncStream<AppPhase> { .just(phase) }
}

extension AsyncStream where Element: Sendable {
    /// Returns a stream of one element.
    static func just(_ element: Element) -> AsyncStream {
        let (stream, continuation) = makeStream()
        continuation.yield(element)
        continuation.finish()
        return stream
    }
}
