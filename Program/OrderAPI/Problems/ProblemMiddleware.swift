import HTTPTypes
import Hummingbird
import JSONWriting
import Logging
import NIOCore
import OrderStorage

/// A middleware that converts the failures of the API to problem documents, and forbids caches to store responses.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    let isDiskFull: @Sendable (any Error) -> Bool

    @concurrent
    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await next(request, context)
            if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
            return response
        } catch let problem as APIProblem {
            return problem.response
        } catch let error as OrderStoreError {
            return error.problem.response
        } catch let error as PersonRegistry.InvalidName {
            return APIProblem.invalid("\"name\" is not valid: \(error)").response
        } catch let error as ProofContentError {
            // No repetition mends this: an operator must know of it.
            context.logger.error("A proof cannot be read.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return APIProblem.unavailable.response
        } catch let error as any UnavailableStoreError where error.isUnavailable {
            return APIProblem.unavailable.response
        } catch let error as any UnavailableStoreError where error.isDiskFull {
            return APIProblem.diskFull.response
        } catch let error where isDiskFull(error) {
            return APIProblem.diskFull.response
        } catch let error as HTTPError {
            return APIProblem("http", error.status, error.status.reasonPhrase, error.body ?? error.status.reasonPhrase).response
        }
    }
}

extension OrderStoreError {
    fileprivate var problem: APIProblem {
        switch self {
        case .keyReused: .keyReused
        case .positionExpired(let current): .positionExpired(current)
        case .orderUnknown: .orderUnknown
        case .personUnknown: .personUnknown
        case .nameTaken: APIProblem("name-taken", .conflict, "The name is taken", "Another person has this name.")
        case .offsetMismatch(let expected):
            APIProblem(
                "offset-mismatch", .conflict, "The part does not begin at the end of the stored bytes",
                "Continue at the offset of the response.", isFinal: false, fields: [.uploadOffset: "\(expected)"]
            ) { json in
                json.field("offset", number: expected)
            }
        case .tooManyProofs:
            APIProblem(
                "too-many-proofs", .conflict, "Too many proofs", "You have stored \(ProofID.limitPerOrder) proofs of this order.")
        case .tooManyIncompleteProofs:
            APIProblem(
                "too-many-proofs", .conflict, "Too many proofs",
                "You have begun \(ProofID.limitPerOrder) proofs of this order: complete them first.")
        case .holdsNoOrder:
            APIProblem("holds-no-order", .conflict, "You have no order", "Positions are stored only while you have an order.")
        case .importDiscarded:
            APIProblem(
                "import-discarded", .conflict, "The import was discarded", "Nothing was imported: send the file again.", isFinal: false)
        case .rowsSkippedBefore:
            APIProblem(
                "rows-skipped", .conflict, "The file was imported before without some of its rows",
                """
                Nothing was imported: import the file with the earlier options again, which lists these rows and creates nothing, and send a file \
                of only these.
                """)
        }
    }
}

extension HTTPField.Name {
    static let uploadOffset = Self("Upload-Offset")!
    static let uploadComplete = Self("Upload-Complete")!
    static let uploadLimit = Self("Upload-Limit")!
}
