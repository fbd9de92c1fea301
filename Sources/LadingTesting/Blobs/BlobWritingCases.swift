import LadingCaching

extension BlobStoreConformance.Case {
    static let writing = [
        Self("A body is read back as it was written, with its note, whatever its length") { trial in
            for (number, count) in [0, 1, 1_000, 16_384, 65_535, 65_536, 65_537, 300_000].enumerated() {
                let key = BlobKey(group: "https://example.org/ü?a=b%20c", name: "\(count)")
                let body = trial.body(number, count: count)
                let note: [UInt8] = [0, 255, UInt8(number)]

                let blob = try await trial.write(key, Array(body.prefix(700)), Array(body.dropFirst(700)), note: note)

                trial.expectEqual(blob.key, key)
                trial.expectEqual(blob.note, note)
                trial.expectEqual(blob.length, count)
                try await trial.expectEqual(trial.blob(key), blob)
                try await trial.expectEqual(trial.bytes(of: blob) == body, true, "\(count) bytes")
            }
        },
        Self("Any part of a body can be read, and nothing behind its end") { trial in
            let body = trial.body(1, count: 200_000)
            let blob = try await trial.write(BlobKey(group: "a"), body)
            let reader = try await trial.store.open(blob)

            for (offset, count) in [
                (0, 0), (0, 5), (65_530, 12), (131_072, 65_536), (199_999, 9), (200_000, 1), (900_000, 1), (3, 500_000),
            ] {
                let start = min(offset, body.count)
                let wanted = Array(body[start..<min(body.count, start + count)])
                try await trial.expectEqual(reader?.read(from: offset, count: count) == wanted, true, "\(count) bytes from \(offset)")
            }
        },
        Self("A body that comes byte by byte is the same as one that comes at once") { trial in
            let body = trial.body(2, count: 40)
            let writer = try await trial.store.write(BlobKey(group: "a"), note: [1])
            for byte in body { try await writer.append([byte]) }
            try await writer.append([])

            let blob = try await writer.finish(note: [2, 3])

            trial.expectEqual(blob.note, [2, 3])
            try await trial.expectEqual(trial.bytes(of: blob), body)
        },
        Self("Nothing is there before the writer has finished, and nothing after it was abandoned or let go of") { trial in
            let key = BlobKey(group: "a")
            for count in [100, 300_000] {
                let abandoned = try await trial.store.write(key, note: [])
                try await abandoned.append(trial.body(1, count: count))
                try await trial.expectEqual(trial.store.blobs(in: "a"), [])
                await abandoned.abandon()
                do {
                    let forgotten = try await trial.store.write(key, note: [])
                    try await forgotten.append(trial.body(2, count: count))
                }

                try await trial.expectEqual(trial.store.blobs(in: "a"), [])
                try await trial.expectEqual(trial.store.usage(), BlobUsage(count: 0, bytes: 0))
                let late = try await trial.error { try await abandoned.append([1]) }
                trial.expectEqual(late, .ended(key))
                let again = try await trial.error { _ = try await abandoned.finish(note: nil) }
                trial.expectEqual(again, .ended(key))
            }
        },
        Self("A writer finishes once") { trial in
            let writer = try await trial.store.write(BlobKey(group: "a"), note: [])
            let blob = try await writer.finish(note: nil)

            let error = try await trial.error { _ = try await writer.finish(note: nil) }
            await writer.abandon()

            trial.expectEqual(error, .ended(BlobKey(group: "a")))
            try await trial.expectEqual(trial.bytes(of: blob), [])
        },
        Self("A body that is longer than a store keeps is refused, and what was there stays") { trial in
            let key = BlobKey(group: "a")
            let kept = try await trial.write(key, [1, 2, 3])
            let limit = BlobStoreConformance.byteLimit

            let writer = try await trial.store.write(key, note: [])
            var length = 0
            let error = try await trial.error {
                while length <= limit {
                    try await writer.append(trial.body(1, count: 100_000))
                    length += 100_000
                }
            }

            guard case .tooLong(key, let told)? = error else { return trial.expect(false, "\(length) bytes were taken") }
            trial.expect(told <= limit && length <= told && length + 100_000 > told - 10_000, "a limit of \(told), \(length) bytes taken")
            try await trial.expectEqual(trial.bytes(of: kept), [1, 2, 3])
            let note = try await trial.error { _ = try await trial.store.setNote(trial.body(1, count: limit), of: kept) }
            trial.expectEqual(note, .tooLong(key, limit: told))
            try await trial.expectEqual(trial.blob(key), kept)
        },
    ]
}
