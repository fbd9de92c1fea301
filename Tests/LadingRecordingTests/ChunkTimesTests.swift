import Testing
@testable import LadingRecording

@Suite struct ChunkTimesTests {
    @Test func `Each chunk is recorded with its time in milliseconds`() {
        var times = ChunkTimes()

        times.record(3, at: .milliseconds(12))
        times.record(5, at: .microseconds(20_400))

        #expect(times.chunks == [.init(at: 0.012, bytes: 3), .init(at: 0.02, bytes: 5)])
    }

    @Test(arguments: [4_096, 4_097, 10_000, 100_000])
    func `Chunks beyond the limit are merged without loss, with the time of the later one`(count: Int) {
        var times = ChunkTimes()

        for number in 1...count { times.record(2, at: .milliseconds(number)) }

        #expect(times.chunks.count <= ChunkTimes.limit)
        #expect(times.chunks.count > ChunkTimes.limit / 2 - 1)
        var bytes = 0
        let wrong = times.chunks.filter { chunk in
            bytes += chunk.bytes
            return chunk.at != Double(bytes / 2) / 1_000
        }
        #expect(wrong == [])
        #expect(bytes == 2 * count)
    }
}
