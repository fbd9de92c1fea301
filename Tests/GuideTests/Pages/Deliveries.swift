import Deliveries
import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingSQLite

func openDeliveries(
    at url: URL, storedIn file: URL, near here: GeographicPoint, _ client: BackendClient, _ queue: BackendQueue
) async throws {
    // block 1
    results.close()
    screen.close()
}
