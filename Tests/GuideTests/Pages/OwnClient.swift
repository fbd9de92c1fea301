import Foundation
import LadingFeeds
import LadingHTTP
import LadingNIO
import LadingOperations

// block 1

@main struct Books {
    static func main() async throws {
        let executor = AsyncHTTPClientExecutor()
        var drawn: [Int] = []
        await showBooks(at: URL(filePath: "/books"), through: executor) { id, _ in drawn.append(id) }
        print(drawn)
        try await executor.shutdown()
    }
}
