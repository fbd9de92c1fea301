/// The first problems of a verification, as text for users.
package struct ProblemList: Hashable, Sendable {
    /// The maximum number of problems that are listed.
    package static let limit = 20

    package private(set) var problems: [String] = []

    package init() {}

    package var isFull: Bool { problems.count >= Self.limit }

    /// Adds a problem unless the list is full.
    package mutating func add(_ problem: String) {
        if !isFull { problems.append(problem) }
    }
}
