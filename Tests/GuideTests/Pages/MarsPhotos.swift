import Foundation
import LadingHTTP
import LadingOperations
import MarsPhotos

func fetchPhoto(from url: URL, _ client: BackendClient, _ queue: BackendQueue) async throws -> MarsImage {
    // block 1
    return image
}
