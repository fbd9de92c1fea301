import Foundation
import OrderStorage

/// The words of a text as they are compared: without accents and case.
///
/// The program splits texts, so that a search finds the same with every configuration of the database.
enum SearchWords {
    /// The maximum length of a word, in code points of at most four bytes; the limit of the database is 2,046 bytes.
    private static let lengthLimit = 100

    static func words(in text: String) -> [String] {
        let words = fold(text).unicodeScalars.split { !$0.isWordPart }.map { String(String.UnicodeScalarView($0.prefix(lengthLimit))) }
        return Array(Set(words)).sorted()
    }

    /// Returns the query for texts that contain all words, each as the beginning of a word; nil without a word.
    static func query(for words: [String]) -> String? {
        let words = self.words(in: words.joined(separator: " "))
        return words.isEmpty ? nil : words.map { "'\($0)':*" }.joined(separator: " & ")
    }

    private static func fold(_ text: String) -> String {
        text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: Locale(identifier: "en_US_POSIX"))
    }
}
