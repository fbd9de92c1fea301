import Testing

@testable import LadingHTTP

@Suite struct ChunkTimesTests {
    @Test func `Each chunk is noted with its time, to the millisecond`() {
        var times = ChunkTimes()

        times.note(3, at: .milliseconds(12))
        times.note(5, at: .microseconds(20_400))

        #expect(times.chunks == [.init(at: 0.012, bytes: 3), .init(at: 0.02, bytes: 5)])
    }

    @Test(arguments: [4_096, 4_097, 10_000, 100_000]) func `Very many are taken together; none is lost and none comes early`(count: Int) {
        var times = ChunkTimes()

        for number in 1...count { times.note(2, at: .milliseconds(number)) }

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
