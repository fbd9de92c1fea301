import HTTPTypes
import Hummingbird

extension Request {
    /// The JSON body as a value; what cannot be read is the sender's fault.
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
