import LadingCaching

extension BlobStoreConformance.Case {
    static let forgetting = [
        Self("The bound is never passed, and what was just written is there") { trial in
            for number in 0..<120 {
                let count = [100, 150_000, 40_000, 300_000][number % 4]
                let blob = try await trial.write(BlobKey(group: "g\(number)"), trial.body(number, count: count))

                let usage = try await trial.store.usage()
                trial.expect(usage.bytes <= BlobStoreConformance.byteLimit, "\(usage.bytes) bytes")
                try await trial.expectEqual(trial.bytes(of: blob).flatMap(BlobScript.number), number)
            }
            let usage = try await trial.store.usage()
            trial.expect(usage.bytes > BlobStoreConformance.byteLimit / 2 && usage.count < 120, "\(usage) is left")
        },
        Self("What is used again and again outlives a flood of what is used once") { trial in
            let hot = try await trial.write(BlobKey(group: "hot"), trial.body(-1, count: 60_000))
            for number in 0..<200 {
                let isThere = try await trial.store.open(hot) != nil
                trial.expect(isThere, "it was forgotten after \(number)")
                try await trial.write(BlobKey(group: "flood", name: "\(number)"), trial.body(number, count: 60_000))
            }
        },
        Self("A note that grows takes of the bound") { trial in
            let blob = try await trial.write(BlobKey(group: "a"), [1])
            var others: [Blob] = []
            for number in 0..<70 {
                others.append(try await trial.write(BlobKey(group: "b", name: "\(number)"), trial.body(number, count: 59_000)))
            }

            _ = try await trial.store.open(blob)
            let changed = try await trial.store.setNote(trial.body(1, count: 500_000), of: blob)

            let usage = try await trial.store.usage()
            trial.expect(usage.bytes <= BlobStoreConformance.byteLimit, "\(usage.bytes) bytes")
            try await trial.expectEqual(trial.blob(blob.key), changed)
        },
    ]

    static let chance = [
        Self("A store does what the plainest one does, whatever happens") { trial in
            for seed in Seeds.several(3) {
                var monkey = BlobMonkey(trial, seed: seed)
                try await monkey.play()
            }
        },
        Self("Many at once read whole bodies only, of the key that they ask for") { trial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<6 { group.addTask { try await trial.work(worker) } }
                try await group.waitForAll()
            }
            let usage = try await trial.store.usage()
            trial.expect(usage.bytes <= BlobStoreConformance.byteLimit && usage.count <= 20, "\(usage)")
        },
    ]
}

extension BlobTrial {
    /// Writes, reads, notes and removes under keys that others use as well.
    fileprivate func work(_ worker: Int) async throws {
        var random = SeededRandom(seed: UInt64(worker + 1))
        for step in 0..<60 {
            let slot = Int(random.next() % 20)
            let key = BlobKey(group: "g\(slot % 4)", name: "\(slot)")
            switch random.next() % 8 {
            case 0: try await store.removeAll(in: key.group)
            case 1: if let blob = try await blob(key) { _ = try await store.setNote([UInt8(step)], of: blob) }
            case 2, 3, 4: try await write(key, body(slot + 20 * step, count: 16 + Int(random.next() % 300_000)))
            default:
                guard let bytes = try await bytes(of: blob(key)) else { continue }
                expectEqual(BlobScript.number(of: bytes).map { $0 % 20 }, slot, "\(bytes.count) bytes")
            }
        }
    }
}
