/// The state of a channel without a buffer: an element that its sender waits to hand over, a receiver that waits for one, or the end.
///
/// At most one task sends and one receives at a time. Each change returns the tasks to resume, which happens after the lock of the value is released.
package struct Rendezvous<Element: Sendable>: Sendable {
    package typealias Sender = CheckedContinuation<Void, any Error>
    package typealias Receiver = CheckedContinuation<Element?, any Error>

    /// The tasks that no longer wait after a change, with their results.
    package struct Resumption: Sendable {
        fileprivate var sender: Sender?
        fileprivate var sent: Result<Void, any Error> = .success(())
        fileprivate var receiver: Receiver?
        fileprivate var received: Result<Element?, any Error> = .success(nil)

        package func perform() {
            receiver?.resume(with: received)
            sender?.resume(with: sent)
        }
    }

    private var element: Element?
    private var sender: Sender?
    private var receiver: Receiver?
    /// The end of the channel; nil while it is open.
    package private(set) var end: Result<Void, any Error>?

    package init() {}

    /// Whether an element was sent and not received.
    package var hasElement: Bool { sender != nil }

    package var hasReceiver: Bool { receiver != nil }

    /// Hands an element to the receiver, or lets the sender wait for one. After the end the sender fails.
    package mutating func send(_ element: Element, from sender: Sender) -> Resumption {
        switch end {
        case .failure(let error): return Resumption(sender: sender, sent: .failure(error))
        case .success: return Resumption(sender: sender, sent: .failure(CancellationError()))
        case nil: break
        }
        if let receiver = receiver.take() { return Resumption(sender: sender, receiver: receiver, received: .success(element)) }
        (self.element, self.sender) = (element, sender)
        return Resumption()
    }

    /// Hands the element or the end to a receiver, or lets it wait.
    package mutating func receive(_ receiver: Receiver) -> Resumption {
        if let element = element.take() { return Resumption(sender: sender.take(), receiver: receiver, received: .success(element)) }
        if let end { return Resumption(receiver: receiver, received: end.map { nil }) }
        self.receiver = receiver
        return Resumption()
    }

    /// Ends the channel at once, unless it has ended; an element that was not received is dropped.
    package mutating func finish(_ result: Result<Void, any Error>) -> Resumption {
        guard end == nil else { return Resumption() }
        end = result
        element = nil
        return Resumption(sender: sender.take(), sent: result, receiver: receiver.take(), received: result.map { nil })
    }
}
