import Foundation

/// The sentences by which the cases of an error describe themselves, for tests.
///
/// ```swift
/// #expect(sentences.differences == [])
/// #expect(sentences.missingCases { Case($0) } == [])
/// ```
package struct ErrorSentences<Failure: Error>: Sendable {
    private let rows: [(error: Failure, sentence: String)]

    /// - Parameter rows: Errors, each with the expected sentence.
    package init(_ rows: [(Failure, String)]) {
        self.rows = rows.map { (error: $0.0, sentence: $0.1) }
    }

    /// The descriptions and localized descriptions that are not the expected sentence, each beside that one.
    package var differences: [String] {
        rows.flatMap { row in
            ["\(row.error)", row.error.localizedDescription].filter { $0 != row.sentence }.map { "\($0) ≠ \(row.sentence)" }
        }
    }

    /// Returns the cases without a sentence.
    ///
    /// - Parameter kind: Returns the case of an error without its values.
    package func missingCases<Case: CaseIterable & Hashable>(_ kind: (Failure) -> Case) -> Set<Case> {
        Set(Case.allCases).subtracting(rows.map { kind($0.error) })
    }
}
