import Deliveries
import LadingHTTP
import LadingOperations
import MarsPhotos
import Orders
import Thumbnails

/// An error as text for couriers, with technical details.
struct PageProblem: Equatable, Sendable {
    /// What could not be shown.
    enum Subject: Sendable {
        case order
        case orders
        case deliveries
        case photo
        case photos
        case mark
    }

    /// A whole sentence without terms of the program.
    let text: String
    /// For whoever is told of it: which server, which document, what is wrong with it.
    let details: String
}

extension Texts {
    /// The problem behind an error, at its root.
    func problem(_ error: any Error, with subject: PageProblem.Subject) -> PageProblem {
        PageProblem(text: sentence(on: OperationError.rootCause(of: error), subject), details: reason(error))
    }

    private func sentence(on error: any Error, _ subject: PageProblem.Subject) -> String {
        guard let error = error as? BackendError else { return unreadable(error) ? unreadable(subject) : plain.somethingWrong }
        return switch error {
        case .unreachable, .timedOut, .interrupted, .circuitOpen, .overrun: plain.serverUnreachable
        case .status(404, _, _), .status(410, _, _): plain.notThere
        case .status(401, _, _), .status(403, _, _): plain.notAllowed
        case .status, .malformedReply, .tooManyRedirects: plain.serverTrouble
        case .undecodable, .bodyTooLarge, .refused: unreadable(subject)
        }
    }

    /// Whether an error is about a document or picture that came, rather than about its way here.
    private func unreadable(_ error: any Error) -> Bool {
        switch error {
        case is OrderDocumentError, is DeliveryDocumentError, is PhotoDocumentError, is MarsImageError, is PictureError,
            is ReplyDecodingError,
            is PictureStore.NoPicture:
            true
        default: false
        }
    }

    private func unreadable(_ subject: PageProblem.Subject) -> String {
        switch subject {
        case .order: plain.orderUnreadable
        case .orders, .deliveries, .photos: plain.listUnreadable
        case .photo: plain.photoUnreadable
        case .mark: plain.serverTrouble
        }
    }
}
