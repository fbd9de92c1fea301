public import Foundation

/// An archived value with the date at which it was stored.
public struct Archived<Value: Sendable>: Sendable {
    public var value: Value
    public var date: Date

    /// Creates an archived value.
    public init(_ value: Value, at date: Date) {
        (self.value, self.date) = (value, date)
    }
}
