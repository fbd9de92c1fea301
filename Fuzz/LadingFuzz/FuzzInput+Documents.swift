import Foundation
import LadingHTTP

@testable import Deliveries
@testable import MarsPhotos

extension FuzzInput {
    func parseDeliveries() {
        _ = try? DeliveryDocument(bytes, of: Self.address)
        _ = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    func parsePhotos() {
        let context = PhotoContext(query: SolQuery(.curiosity, sol: 1), document: Self.address)
        _ = try? V1Documents.photos(bytes, in: context)
        _ = try? V1Documents.rovers(bytes)
        if let manifest = try? V1Documents.manifest(bytes, of: .curiosity) {
            precondition(manifest.entries.allSatisfy { $0.totalPhotos > 0 }, "a manifest lists the sols that have photos")
        }
        _ = try? RawDocuments.curiosity(bytes, in: context)
        _ = try? RawDocuments.perseverance(bytes, in: context)
    }

    func parseImage() {
        _ = try? MarsImage(bytes)
    }
}
