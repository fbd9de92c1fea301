import LadingCaching

extension BlobStoreConformance.Case {
    static let replacing = [
        Self("A body replaces the previous one only when it is finished") { trial in
            let key = BlobKey(group: "a", name: "b")
            let old = try await trial.write(key, [1], metadata: [1])
            let writer = try await trial.store.write(key, metadata: [2])
            try await writer.append([2, 2])
            try await trial.expectEqual(trial.store.blobs(in: "a"), [old])
            try await trial.expectEqual(trial.bytes(of: old), [1])

            let new = try await writer.finish(metadata: nil)

            trial.expect(new.version != old.version, "both are version \(old.version)")
            try await trial.expectEqual(trial.store.blobs(in: "a"), [new])
            try await trial.expectEqual(trial.bytes(of: new), [2, 2])
            try await trial.expectEqual(trial.store.usage(), BlobUsage(count: 1, bytes: 5))
        },
        Self("A replaced blob can no longer be opened, changed or removed") { trial in
            let key = BlobKey(group: "a")
            let old = try await trial.write(key, [1])
            let new = try await trial.write(key, [2])

            try await trial.expectEqual(trial.bytes(of: old), nil)
            try await trial.expectEqual(trial.store.setMetadata([9], of: old), nil)
            try await trial.store.remove(old)

            try await trial.expectEqual(trial.store.blobs(in: "a"), [new])
            try await trial.expectEqual(trial.bytes(of: new), [2])
        },
        Self("Of two writers of one key the last to finish wins") { trial in
            let key = BlobKey(group: "a")
            let (first, second) = try await (trial.store.write(key, metadata: []), trial.store.write(key, metadata: []))
            try await second.append([2])
            try await first.append([1])

            _ = try await second.finish(metadata: nil)
            let last = try await first.finish(metadata: nil)

            try await trial.expectEqual(trial.store.blobs(in: "a"), [last])
            try await trial.expectEqual(trial.bytes(of: last), [1])
        },
        Self("Metadata is replaced, and the body is unchanged") { trial in
            let body = trial.body(1, count: 100_000)
            let old = try await trial.write(BlobKey(group: "a"), body, metadata: [1])
            let reader = try await trial.store.open(old)

            let new = try await trial.store.setMetadata([2, 3], of: old)

            trial.expectEqual(new, Blob(key: old.key, version: old.version, metadata: [2, 3], length: 100_000))
            try await trial.expectEqual(trial.store.blobs(in: "a"), new.map { [$0] } ?? [])
            try await trial.expectEqual(trial.bytes(of: old) == body, true)
            try await trial.expectEqual(trial.bytes(of: reader) == body, true)
            try await trial.expectEqual(trial.store.usage(), BlobUsage(count: 1, bytes: 100_003))
        },
        Self("Groups are separate and list the newest blob first") { trial in
            let keys = [("ab", "c"), ("a", "bc"), ("ab", "d"), ("", ""), ("a", ""), ("a%", "x"), ("A", "bc")]
                .map { BlobKey(group: $0.0, name: $0.1) }
            var blobs: [Blob] = []
            for (index, key) in keys.enumerated() { blobs.append(try await trial.write(key, [UInt8(index)])) }

            try await trial.expectEqual(trial.store.blobs(in: "a"), [blobs[4], blobs[1]])
            try await trial.expectEqual(trial.store.blobs(in: "ab"), [blobs[2], blobs[0]])
            try await trial.expectEqual(trial.store.blobs(in: "b"), [])
            blobs[1] = try await trial.write(keys[1], [7])
            try await trial.expectEqual(trial.store.blobs(in: "a"), [blobs[1], blobs[4]])
            for (index, blob) in blobs.enumerated() {
                try await trial.expectEqual(trial.bytes(of: blob), [index == 1 ? 7 : UInt8(index)])
            }
        },
        Self("One body is removed, a group, or everything") { trial in
            var blobs: [Blob] = []
            for (group, name) in [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2"), ("c", "1")] {
                blobs.append(try await trial.write(BlobKey(group: group, name: name), trial.body(1, count: 70_000)))
            }

            try await trial.store.remove(blobs[0])
            try await trial.store.removeAll(in: "b")
            try await trial.store.removeAll(in: "nothing")

            var isStored: [Bool] = []
            for blob in blobs { isStored.append(try await trial.store.open(blob) != nil) }
            trial.expectEqual(isStored, [false, true, false, false, true])
            try await trial.expectEqual(trial.store.usage(), BlobUsage(count: 2, bytes: 140_004))

            try await trial.store.removeAll()
            try await trial.expectEqual(trial.store.usage(), BlobUsage(count: 0, bytes: 0))
            try await trial.expectEqual(trial.store.blobs(in: "a"), [])
            let again = try await trial.write(BlobKey(group: "a"), [1])
            try await trial.expectEqual(trial.bytes(of: again), [1])
        },
        Self("An open reader keeps its body after removal") { trial in
            let body = trial.body(1, count: 300_000)
            let keys = (0..<4).map { BlobKey(group: "a", name: "\($0)") }
            var readers: [(any BlobReader)?] = []
            var blobs: [Blob] = []
            for key in keys {
                blobs.append(try await trial.write(key, body))
                readers.append(try await trial.store.open(blobs[blobs.count - 1]))
            }

            try await trial.write(keys[0], [1])
            try await trial.store.remove(blobs[1])
            try await trial.store.removeAll(in: "a")
            for number in 0..<40 { try await trial.write(BlobKey(group: "flood", name: "\(number)"), trial.body(number, count: 200_000)) }
            try await trial.store.removeAll()

            for reader in readers {
                try await trial.expectEqual(trial.bytes(of: reader) == body, true)
            }
        },
    ]
}
