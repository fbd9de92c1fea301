import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the counts of an origin as JSON: GET reads them, DELETE begins anew.
struct CountRoutes: Sendable {
    /// Outside the folder of the service, and so never faulty; not counted either.
    static let path = "/-/counts"

    let metrics: RequestMetrics

    func add(to router: Router<OriginContext>) {
        router.get("\(Self.path)") { _, _ in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let body = ByteBuffer(bytes: try encoder.encode(metrics.counts))
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: body))
        }
        router.delete("\(Self.path)") { _, _ in
            metrics.reset()
            return HTTPResponse.Status.noContent
        }
    }
}
