import HTTPTypes
import Hummingbird

extension Request {
    /// Returns the decoded JSON body; throws `PageError.malformedRequest` or `.contentTooLarge`.
    @concurrent
    func decodeBody<Report: Decodable & SendableMetatype>(_ type: Report.Type, _ context: WindowContext) async throws -> Report {
        do {
            return try await decode(as: type, context: context)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw PageError.contentTooLarge
        } catch {
            throw PageError.malformedRequest
        }
    }
}
