import Observers
import Synchronization

/// A value that the program sets and any number of readers observe, such as the state of the network.
///
/// ```swift
/// let connectivity = StateSource(ConnectivityState.unmetered)
/// async let network: Void = queue.observe(connectivity)
/// connectivity.set(.offline)
/// ```
///
/// A source of a `ConnectivityState` is a `Connectivity`, and one of an `AppPhase` an `AppLifecycle`. Its sequences end when it is deallocated.
public final class StateSource<Value: Equatable & Sendable>: Sendable {
    private let observers = Observers<Value>()
    private let current: Mutex<Value>

    /// Creates a source with an initial value.
    public init(_ value: Value) {
        current = Mutex(value)
    }

    /// The current value.
    public var value: Value { current.withLock { $0 } }

    /// Returns the current value, and then each change; each call returns a separate sequence. A slow reader receives only the newest value.
    public func values() -> AsyncStream<Value> {
        current.withLock { observers.add(bufferingPolicy: .bufferingNewest(1), first: $0) }
    }

    /// Sets the value, and notifies the readers if it has changed. It may be called on any thread.
    public func set(_ value: Value) {
        current.withLock { current in
            guard current != value else { return }
            current = value
            observers.append(value)
        }
        observers.deliver()
    }
}

extension StateSource: Connectivity where Value == ConnectivityState {
    public var state: ConnectivityState { value }

    public func states() -> AsyncStream<ConnectivityState> { values() }
}

extension StateSource: AppLifecycle where Value == AppPhase {
    public var phase: AppPhase { value }

    public func phases() -> AsyncStream<AppPhase> { values() }
}
