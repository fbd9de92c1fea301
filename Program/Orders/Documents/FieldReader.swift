import Foundation
import LadingRecords

/// A reader of an element's fields that collects the errors of missing and invalid ones.
struct FieldReader {
    /// The maximum number of errors collected per document, which may have a million faulty lines.
    private static let errorLimit = 20

    /// The element; nil when it is missing, which counts as one error for all its fields.
    let element: ParsedElement?
    var errors: [OrderDocumentError] = [] {
        didSet { if errors.count > Self.errorLimit { errors.removeLast(errors.count - Self.errorLimit) } }
    }

    init(_ element: ParsedElement) {
        self.element = element
    }

    private init(missing error: OrderDocumentError) {
        element = nil
        errors = [error]
    }

    /// Returns a reader of the fields of a child.
    func child(_ name: String) -> FieldReader {
        guard let element else { return self }
        do { return FieldReader(try element.child(name)) } catch { return FieldReader(missing: error) }
    }

    /// Returns the trimmed text of a child; empty when it is missing.
    mutating func text(_ name: String) -> String {
        read { element throws(OrderDocumentError) in try element.text(of: name) } ?? ""
    }

    /// Returns the whole number in a child.
    mutating func count(_ name: String) -> Int? {
        read { element throws(OrderDocumentError) in try element.count(name) }
    }

    /// Returns the decimal number in a child, with all its digits.
    mutating func decimal(_ name: String) -> Decimal? {
        read { element throws(OrderDocumentError) in try element.decimal(name) }
    }

    /// Returns the point given by `latitude` and `longitude`; nil when either is missing or invalid.
    mutating func point() -> GeographicPoint? {
        let latitude = read { element throws(OrderDocumentError) in try element.degrees("latitude", limit: 90) }
        let longitude = read { element throws(OrderDocumentError) in try element.degrees("longitude", limit: 180) }
        guard let latitude, let longitude else { return nil }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }

    /// Returns the result of `read`; when it throws, records the error and returns nil.
    private mutating func read<Value>(_ read: (ParsedElement) throws(OrderDocumentError) -> Value) -> Value? {
        guard let element else { return nil }
        do {
            return try read(element)
        } catch {
            errors.append(error)
            return nil
        }
    }
}
