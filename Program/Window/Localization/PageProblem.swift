import Deliveries
import LadingHTTP
import LadingOperations
import MarsPhotos
import Orders
import Thumbnails

/// An error as text for couriers, with technical details.
struct PageProblem: Equatable, Sendable {
    /// The kind of content that could not be shown.
    enum Subject: Sendable {
        case order
        case orders
        case deliveries
        case photo
        case photos
        case favourite
    }

    /// A complete sentence without technical terms.
    let text: String
    /// The details for error reports: the server, the document and the reason.
    let details: String
}

extension Texts {
    /// Returns the problem for the root cause of an error.
    func problem(for error: any Error, subject: PageProblem.Subject) -> PageProblem {
        PageProblem(text: problemMessage(for: OperationError.rootCause(of: error), subject: subject), details: reason(for: error))
    }

    private func problemMessage(for error: any Error, subject: PageProblem.Subject) -> String {
        guard let error = error as? BackendError else {
            return isUnreadable(error) ? unreadableMessage(for: subject) : strings.unknownProblem
        }
        return switch error {
        case .unreachable, .timedOut, .interrupted, .circuitOpen, .bufferLimitExceeded: strings.serverUnreachable
        case .status(404, _, _), .status(410, _, _): strings.goneFromServer
        case .status(401, _, _), .status(403, _, _): strings.notAllowed
        case .status, .malformedResponse, .tooManyRedirects: strings.serverProblem
        case .decodingFailed, .bodyTooLarge, .policyViolation: unreadableMessage(for: subject)
        }
    }

    /// Whether an error is about a received document or image, rather than its transfer.
    private func isUnreadable(_ error: any Error) -> Bool {
        switch error {
        case is OrderDocumentError, is DeliveryDocumentError, is PhotoDocumentError, is MarsImageError, is ImageDecodingError,
            is ResponseDecodingError,
            is ImageLoader.NotAnImage:
            true
        default: false
        }
    }

    private func unreadableMessage(for subject: PageProblem.Subject) -> String {
        switch subject {
        case .order: strings.orderUnreadable
        case .orders, .deliveries, .photos: strings.listUnreadable
        case .photo: strings.photoUnreadable
        case .favourite: strings.serverProblem
        }
    }
}
