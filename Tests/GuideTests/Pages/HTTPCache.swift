import Foundation
import LadingCaching
import LadingHTTP
import LadingOperations

func fetch(_ url: URL, through executor: any BackendExecutor, _ queue: BackendQueue) async throws -> Data {
    // block 1
    return picture
}
