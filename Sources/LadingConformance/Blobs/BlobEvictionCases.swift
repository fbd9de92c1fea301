import LadingCaching
import LadingTesting

extension BlobStoreConformance.Case {
    static let eviction = [
        Self("The size limit is never exceeded and the latest blob is stored") { trial in
            for number in 0..<120 {
                let count = [100, 150_000, 40_000, 300_000][number % 4]
                let blob = try await trial.write(BlobKey(group: "g\(number)"), trial.body(number, count: count))

                let usage = try await trial.store.usage()
                trial.expect(usage.bytes <= BlobStoreConformance.byteLimit, "\(usage.bytes) bytes")
                try await trial.expectEqual(trial.bytes(of: blob).flatMap(BlobGenerator.number), number)
            }
            let usage = try await trial.store.usage()
            trial.expect(usage.bytes > BlobStoreConformance.byteLimit / 2 && usage.count < 120, "\(usage) is left")
        },
        Self("A frequently used blob survives a flood of blobs used once") { trial in
            let hot = try await trial.write(BlobKey(group: "hot"), trial.body(-1, count: 60_000))
            for number in 0..<200 {
                let exists = try await trial.store.open(hot) != nil
                trial.expect(exists, "it was forgotten after \(number)")
                try await trial.write(BlobKey(group: "flood", name: "\(number)"), trial.body(number, count: 60_000))
            }
        },
        Self("Growing metadata counts towards the size limit") { trial in
            let blob = try await trial.write(BlobKey(group: "a"), [1])
            var others: [Blob] = []
            for number in 0..<70 {
                others.append(try await trial.write(BlobKey(group: "b", name: "\(number)"), trial.body(number, count: 59_000)))
            }

            _ = try await trial.store.open(blob)
            let changed = try await trial.store.setMetadata(trial.body(1, count: 500_000), of: blob)

            let usage = try await trial.store.usage()
            trial.expect(usage.bytes <= BlobStoreConformance.byteLimit, "\(usage.bytes) bytes")
            try await trial.expectEqual(trial.blob(blob.key), changed)
        },
    ]

    static let randomized = [
        Self("A store behaves like a dictionary under random operations") { trial in
            for seed in TestSeeds.seeds(count: 3) {
                var fuzzer = BlobStoreFuzzer(trial, seed: seed)
                try await fuzzer.run()
            }
        },
        Self("Concurrent readers get complete bodies of their own keys") { trial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<6 { group.addTask { try await trial.performRandomSteps(worker) } }
                try await group.waitForAll()
            }
            let usage = try await trial.store.usage()
            trial.expect(usage.bytes <= BlobStoreConformance.byteLimit && usage.count <= 20, "\(usage)")
        },
    ]
}

extension BlobTestContext {
    /// Writes, reads, changes and removes blobs under keys shared with other workers.
    fileprivate func performRandomSteps(_ worker: Int) async throws {
        var random = SeededRandom(seed: UInt64(worker + 1))
        for step in 0..<60 {
            let slot = Int(random.next() % 20)
            let key = BlobKey(group: "g\(slot % 4)", name: "\(slot)")
            switch random.next() % 8 {
            case 0: try await store.removeAll(in: key.group)
            case 1: if let blob = try await blob(key) { _ = try await store.setMetadata([UInt8(step)], of: blob) }
            case 2, 3, 4: try await write(key, body(slot + 20 * step, count: 16 + Int(random.next() % 300_000)))
            default:
                guard let bytes = try await bytes(of: blob(key)) else { continue }
                expectEqual(BlobGenerator.number(of: bytes).map { $0 % 20 }, slot, "\(bytes.count) bytes")
            }
        }
    }
}
