import LadingOperations

/// A search for adjacent sols at a service of one rover without a manifest, by requesting the first photo in either direction.
struct AdjacentSolSearch: Sendable {
    /// A filter and a sort order of photos.
    struct Condition: Sendable {
        /// The sort order: `sol asc` or `sol desc`.
        let order: String
        /// The filters, such as `1001:sol:gte`; empty for all.
        let clauses: [String]

        static let newest = Condition(order: "sol desc", clauses: [])
        static func from(_ sol: Sol) -> Condition { Condition(order: "sol asc", clauses: ["\(sol):sol:gte"]) }
        static func upTo(_ sol: Sol) -> Condition { Condition(order: "sol desc", clauses: ["\(sol):sol:lte"]) }
    }

    let rover: Rover
    /// A closure that returns an operation for the sol of the first matching photo; nil when there is none.
    let firstSol: @Sendable (Condition) -> BackendOperation<Sol?>

    /// Returns an operation that lists the one rover with its last sol.
    func profiles() -> BackendOperation<[RoverProfile]> {
        BackendOperation("rovers", lane: .cpu, after: firstSol(.newest)) { sol in [RoverProfile(rover, status: "active", maxSol: sol)] }
    }

    func manifestUnavailable(for rover: Rover) -> BackendOperation<RoverManifest?> {
        unknownRoverOperation(for: rover, RoverManifest?.self) ?? BackendOperation("manifest of \(rover)", result: .success(nil))
    }

    func adjacentSols(to sol: Sol, of rover: Rover) -> BackendOperation<AdjacentSols> {
        if let unknownRover = unknownRoverOperation(for: rover, AdjacentSols.self) { return unknownRover }
        let none = BackendOperation<Sol?>("no sol", result: .success(nil))
        let previous = sol.previous.map { firstSol(.upTo($0)) } ?? none
        let next = sol.next.map { firstSol(.from($0)) } ?? none
        return BackendOperation("neighbours of sol \(sol)", lane: .cpu, after: previous, next) { previous, next in
            // A service that ignores the condition would return an arbitrary sol.
            AdjacentSols(previous: previous.flatMap { $0 < sol ? $0 : nil }, next: next.flatMap { $0 > sol ? $0 : nil })
        }
    }

    /// Returns an operation that fails with `PhotoError.unknownRover` for another rover; nil for the rover of this service.
    func unknownRoverOperation<Value>(for other: Rover, _ type: Value.Type) -> BackendOperation<Value>? {
        other == rover ? nil : BackendOperation("photos of \(other)", result: .failure(PhotoError.unknownRover(other.name)))
    }
}
