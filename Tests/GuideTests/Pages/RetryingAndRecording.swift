import Foundation
import LadingHTTP
import LadingOperations
import LadingRecording

func retry(_ url: URL, through executor: any BackendExecutor, _ queue: BackendQueue) async throws -> BackendResponse {
    // block 1
    return response
}

func observeHosts(through executor: any BackendExecutor, retry: (String) -> Void) async {
    // block 2
}

func record(_ message: RequestMessage, through executor: any BackendExecutor, in directory: URL) async throws -> Bool {
    // block 3
    return replayed.body == recorded.body
}
