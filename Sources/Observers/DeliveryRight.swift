/// The right to deliver what threads record under a lock: one thread at a time has it, and also delivers what others record meanwhile.
///
/// It is part of the state that the lock guards. The holder delivers under no lock, in the order of the records:
///
///     var isHolder = false
///     while let delivery = state.withLock({ $0.nextDelivery(isHolder: &isHolder) }) { delivery.send() }
///
/// Here `nextDelivery` calls `acquire`, and removes the delivery from the state. Nothing is lost: the holder releases the right in a
/// critical section in which there is nothing to deliver, and each thread calls `acquire` after it has recorded something.
@usableFromInline
package struct DeliveryRight: Sendable {
    @usableFromInline var isHeld = false

    package init() {}

    /// Acquires or retains the right if there is something to deliver, and otherwise releases it.
    ///
    /// It is inlined into critical sections of operations.
    ///
    /// - Parameters:
    ///   - hasDelivery: Whether there is something to deliver.
    ///   - isHolder: Whether the caller has the right; false before its first call.
    /// - Returns: Whether the caller has the right, and must deliver; false while another thread has it.
    @inlinable
    package mutating func acquire(if hasDelivery: Bool, isHolder: inout Bool) -> Bool {
        guard isHolder || !isHeld else { return false }
        isHeld = hasDelivery
        isHolder = hasDelivery
        return hasDelivery
    }
}
