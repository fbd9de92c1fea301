import Foundation

/// The words of a text as they are compared: without accents and case.
///
/// The program splits texts, so that a search finds the same with every configuration of the database.
enum SearchWords {
    /// The maximum length of a word, in characters; the database's limit is 2,046 bytes.
    private static let lengthLimit = 100

    static func words(in text: String) -> [String] {
        let words = text.split { !$0.isLetter && !$0.isNumber }.map { String(fold($0).prefix(lengthLimit)) }
        return Array(Set(words)).filter { !$0.isEmpty }.sorted()
    }

    /// Returns the query for texts that contain all words, each as the beginning of a word; nil without a word.
    static func query(for text: String) -> String? {
        let words = words(in: text)
        return words.isEmpty ? nil : words.map { "'\($0)':*" }.joined(separator: " & ")
    }

    private static func fold(_ word: Substring) -> String {
        word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: Locale(identifier: "en_US_POSIX"))
    }
}
