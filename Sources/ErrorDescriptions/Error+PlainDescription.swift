import Foundation

extension Error {
    /// The description of the error in one line without names of types, as part of the sentence of another error; nil when it has none.
    ///
    /// An error of the system is described by the system, an error of a decoder by its path and reason. An error without a description has only the
    /// name of its type, which is omitted; that of an enum is described by its case.
    package var plainDescription: String? {
        guard let text = rawDescription else { return nil }
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let sentence = line.hasSuffix(".") && !line.hasSuffix("..") ? String(line.dropLast()) : line
        guard sentence.count > causeLimit else { return sentence.isEmpty ? nil : sentence }
        return sentence.prefix(causeLimit) + "…"
    }

    /// The description in parentheses after a space; empty when the error has none.
    package var descriptionSuffix: String { plainDescription.map { " (\($0))" } ?? "" }

    private var rawDescription: String? {
        // Not by a cast: on Linux an `NSError` is no `POSIXError`, but always a `CocoaError`.
        if let code = POSIXErrorCode(self) { return code.systemDescription }
        return switch self {
        case let error as any DescribedCause: error.causeDescription
        case let error as DecodingError: DecodingProblem(error).description
        case let error as any LocalizedError: error.errorDescription ?? describedValue
        case let error as CocoaError: error.systemDescription
        default: type(of: self) is NSError.Type ? (self as NSError).knownDescription : describedValue
        }
    }

    /// The description of a value that has one of its own, or is a case without associated values.
    private var describedValue: String? {
        // A cast of the value would always succeed, because every error can be bridged to `NSError`.
        if type(of: self) is any CustomStringConvertible.Type { return "\(self)" }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? "\(self)" : nil
    }
}

/// The maximum length of a cause in characters, because it may quote a server.
private let causeLimit = 300

extension NSError {
    /// The description that the creator of the error provided, otherwise that of the system call that failed.
    fileprivate var knownDescription: String? {
        if let provided = userInfo[NSLocalizedDescriptionKey] as? String { return provided }
        return (userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { POSIXErrorCode($0)?.systemDescription }
    }
}

extension CocoaError {
    /// The description of the system call that failed, otherwise that of Foundation without its general first sentence.
    fileprivate var systemDescription: String? {
        if let cause = userInfo[NSUnderlyingErrorKey] as? any Error, let code = POSIXErrorCode(cause) { return code.systemDescription }
        let text = localizedDescription.replacing("The operation could not be completed. ", with: "")
        return text.contains(Self.errorDomain) ? nil : text
    }
}

extension POSIXErrorCode {
    fileprivate init?(_ error: any Error) {
        let error = error as NSError
        guard error.domain == NSPOSIXErrorDomain else { return nil }
        self.init(rawValue: Int32(truncatingIfNeeded: error.code))
    }

    fileprivate var systemDescription: String { String(cString: strerror(rawValue)) }
}
