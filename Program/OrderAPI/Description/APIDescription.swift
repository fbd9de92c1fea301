import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerStartup

/// The description of the API (OpenAPI 3.1), a resource of the program.
enum APIDescription {
    static func response() throws -> Response {
        let file = try ProgramResources.folder(of: "OrderAPI", .module).appending(path: "openapi.json")
        let body = ByteBuffer(bytes: try Data(contentsOf: file))
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "max-age=60"], body: ResponseBody(byteBuffer: body))
    }
}
