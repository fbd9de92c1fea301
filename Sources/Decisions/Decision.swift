/// A state machine as a synchronous value that handles events and returns effects.
package protocol Decision {
    associatedtype Event
    associatedtype Effect

    mutating func handle(_ event: consuming Event, effects: inout [Effect])
}
