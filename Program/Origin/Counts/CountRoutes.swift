import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of an origin's request counts as JSON: GET reads them, DELETE resets them.
struct CountRoutes: Sendable {
    /// The path of the counts. It lies outside the paths of the service: no faults are injected and its requests are not counted.
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
