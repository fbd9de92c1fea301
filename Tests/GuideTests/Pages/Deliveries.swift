import Deliveries
import Foundation
import LadingHTTP
import LadingOperations
import LadingRecords
import LadingSQLite

func openDeliveries(
    at url: URL, storedIn file: URL, near here: GeographicPoint, _ client: BackendClient, _ queue: BackendQueue
) async throws {
    // block 1
    results.close()
    screen.close()
}
