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
        _ = try? RawDocuments.curiosity(bytes, in: context)
        _ = try? RawDocuments.perseverance(bytes, in: context)
    }

    func parseImage() {
        _ = try? MarsImage(bytes)
    }
}
