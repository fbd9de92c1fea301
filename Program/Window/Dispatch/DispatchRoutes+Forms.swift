import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore

// The receipt of forms. A form that was not delivered is shown again with its key, so that sending it again has no second effect.
extension DispatchRoutes {
    /// The maximum length of a form, in bytes.
    private static let formLimit = 64 << 10

    /// The error of a form without a final response: its command may succeed later with the same key, or may have succeeded already.
    struct NotDelivered: Error {
        let status: HTTPResponse.Status
        let reason: String
    }

    /// Responds to a form of a dispatcher, whose token proves that it comes from a page of this person.
    ///
    /// - Throws: `PageError.crossOrigin` for a form of another site.
    func withForm(_ request: Request, _ respond: (Visit, FormFields) async throws -> Response) async throws -> Response {
        let form = FormFields(String(buffer: try await request.readBody(upTo: Self.formLimit)))
        guard let formToken = request.token.map(FormToken.token), form["token"] == formToken else {
            guard request.isFromOwnPage else { throw PageError.crossOrigin }
            return signedOutPage(form, request)
        }
        do {
            return try await withVisit(request, signedOut: { signedOutPage(form, request) }) { visit in try await respond(visit, form) }
        } catch is BackendError {
            return unsentPage(form.all, request, status: .badGateway)
        } catch let error as NotDelivered {
            return unsentPage(form.all, request, status: error.status, because: error.reason)
        }
    }

    /// Returns the page of a form that is older than the last sign-in, with the token of the present one.
    private func signedOutPage(_ form: FormFields, _ request: Request) -> Response {
        let formToken = request.token.map(FormToken.token)
        let fields = form.all.map { field in
            (name: field.name, value: field.name == "token" ? formToken ?? field.value : field.value)
        }
        return unsentPage(
            fields, request, status: .forbidden, because: LocalizedStrings(request.language).reasonSignedOut, needsSignIn: true)
    }

    /// Returns the page of a form that was not delivered.
    ///
    /// - Parameter reason: The reason; nil if the API could not be reached.
    private func unsentPage(
        _ fields: [(name: String, value: String)], _ request: Request, status: HTTPResponse.Status, because reason: String? = nil,
        needsSignIn: Bool = false
    ) -> Response {
        let page = renderer.unsentPage(
            fields, action: request.uri.path, because: reason, needsSignIn: needsSignIn, in: request.language)
        return .page(page, in: request.language, status: status)
    }
}
