import LadingOperations

/// Finds sols with photos at a service of one rover that has no manifest: by asking for the first photo on either side.
struct NeighbourSearch: Sendable {
    /// Which photos are meant, and which of them comes first.
    struct Condition: Sendable {
        /// `sol asc` or `sol desc`.
        let order: String
        /// `1001:sol:gte`; empty for all.
        let text: [String]

        static let newest = Condition(order: "sol desc", text: [])
        static func from(_ sol: Sol) -> Condition { Condition(order: "sol asc", text: ["\(sol):sol:gte"]) }
        static func upTo(_ sol: Sol) -> Condition { Condition(order: "sol desc", text: ["\(sol):sol:lte"]) }
    }

    let rover: Rover
    /// An operation that gives the sol of the first photo; nil when there is none.
    let first: @Sendable (Condition) -> BackendOperation<Sol?>

    /// The one rover, with its last sol.
    func profiles() -> BackendOperation<[RoverProfile]> {
        BackendOperation("rovers", lane: .cpu, after: first(.newest)) { sol in [RoverProfile(rover, status: "active", maxSol: sol)] }
    }

    func noManifest(of rover: Rover) -> BackendOperation<RoverManifest?> {
        refusal(of: rover, RoverManifest?.self) ?? BackendOperation("manifest of \(rover)", ended: .success(nil))
    }

    func neighbours(of sol: Sol, of rover: Rover) -> BackendOperation<SolNeighbours> {
        if let wrong = refusal(of: rover, SolNeighbours.self) { return wrong }
        let none = BackendOperation<Sol?>("no sol", ended: .success(nil))
        let previous = sol.before.map { first(.upTo($0)) } ?? none
        let next = sol.after.map { first(.from($0)) } ?? none
        return BackendOperation("neighbours of sol \(sol)", lane: .cpu, after: previous, next) { previous, next in
            // A service that passes over the condition would answer with any sol.
            SolNeighbours(previous: previous.flatMap { $0 < sol ? $0 : nil }, next: next.flatMap { $0 > sol ? $0 : nil })
        }
    }

    /// An operation that fails because the rover is another one; nil when it is the right one.
    func refusal<Value>(of other: Rover, _ type: Value.Type) -> BackendOperation<Value>? {
        other == rover ? nil : BackendOperation("photos of \(other)", ended: .failure(PhotoError.unknownRover(other.name)))
    }
}
