/// A decision as a synchronous value: it is told events and says what is to be done.
package protocol Decision {
    associatedtype Event
    associatedtype Effect

    mutating func handle(_ event: consuming Event, effects: inout [Effect])
}
