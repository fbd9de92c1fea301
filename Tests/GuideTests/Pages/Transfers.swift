import Foundation
import LadingHTTP
import LadingOperations
import LadingSQLite

func fetch(_ url: URL, to file: URL, in directory: URL, _ client: BackendClient, _ queue: BackendQueue) async throws {
    // block 1
}
