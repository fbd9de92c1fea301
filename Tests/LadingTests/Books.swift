import Foundation

/// A book with the URL of its document, as it is in a list.
struct BookReference: Codable, Identifiable, Sendable {
    let id: Int
    let url: URL
}

/// The same with a URL as text, valid or not.
struct BookEntry: Decodable, Identifiable, Sendable {
    let id: Int
    let path: String
}

struct Book: Decodable, Equatable, Identifiable, Sendable {
    let id: Int
    let title: String
}
