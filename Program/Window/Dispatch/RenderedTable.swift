import Synchronization

/// A page of the table, whose markup all pages in one language share.
final class RenderedTable: Sendable {
    let table: DispatchService.Table
    private let fragments = Mutex<[Language: JSONText]>([:])

    init(_ table: DispatchService.Table) {
        self.table = table
    }

    /// Returns the markup in a language, which is rendered and encoded once.
    func fragment(in language: Language, _ render: () -> JSONText) -> JSONText {
        fragments.withLock { fragments in
            if let fragment = fragments[language] { return fragment }
            let fragment = render()
            fragments[language] = fragment
            return fragment
        }
    }
}
