import LadingCaching

extension BlobStoreConformance.Case {
    static let writing = [
        Self("A body is read back as it was written, with its metadata, whatever its length") { context in
            for (number, count) in [0, 1, 1_000, 16_384, 65_535, 65_536, 65_537, 300_000].enumerated() {
                let key = BlobKey(group: "https://example.org/ü?a=b%20c", name: "\(count)")
                let body = context.body(number, count: count)
                let metadata: [UInt8] = [0, 255, UInt8(number)]

                let blob = try await context.write(key, Array(body.prefix(700)), Array(body.dropFirst(700)), metadata: metadata)

                context.expectEqual(blob.key, key)
                context.expectEqual(blob.metadata, metadata)
                context.expectEqual(blob.length, count)
                try await context.expectEqual(context.blob(key), blob)
                try await context.expectEqual(context.bytes(of: blob) == body, true, "\(count) bytes")
            }
        },
        Self("Any range of a body can be read and nothing beyond its end") { trial in
            let body = trial.body(1, count: 200_000)
            let blob = try await trial.write(BlobKey(group: "a"), body)
            let reader = try await trial.store.open(blob)

            for (offset, count) in [
                (0, 0), (0, 5), (65_530, 12), (131_072, 65_536), (199_999, 9), (200_000, 1), (900_000, 1), (3, 500_000),
            ] {
                let start = min(offset, body.count)
                let expected = Array(body[start..<min(body.count, start + count)])
                try await trial.expectEqual(reader?.read(from: offset, count: count) == expected, true, "\(count) bytes from \(offset)")
            }
        },
        Self("A body written byte by byte equals one written at once") { trial in
            let body = trial.body(2, count: 40)
            let writer = try await trial.store.write(BlobKey(group: "a"), metadata: [1])
            for byte in body { try await writer.append([byte]) }
            try await writer.append([])

            let blob = try await writer.finish(metadata: [2, 3])

            trial.expectEqual(blob.metadata, [2, 3])
            try await trial.expectEqual(trial.bytes(of: blob), body)
        },
        Self("An unfinished, abandoned or released writer stores nothing") { trial in
            let key = BlobKey(group: "a")
            for count in [100, 300_000] {
                let abandoned = try await trial.store.write(key, metadata: [])
                try await abandoned.append(trial.body(1, count: count))
                try await trial.expectEqual(trial.store.blobs(in: "a"), [])
                await abandoned.discard()
                do {
                    let discarded = try await trial.store.write(key, metadata: [])
                    try await discarded.append(trial.body(2, count: count))
                }

                try await trial.expectEqual(trial.store.blobs(in: "a"), [])
                try await trial.expectEqual(trial.store.usage(), BlobUsage(count: 0, bytes: 0))
                let appendError = try await trial.error { try await abandoned.append([1]) }
                trial.expectEqual(appendError, .writerEnded(key))
                let finishError = try await trial.error { _ = try await abandoned.finish(metadata: nil) }
                trial.expectEqual(finishError, .writerEnded(key))
            }
        },
        Self("A writer finishes once") { trial in
            let writer = try await trial.store.write(BlobKey(group: "a"), metadata: [])
            let blob = try await writer.finish(metadata: nil)

            let error = try await trial.error { _ = try await writer.finish(metadata: nil) }
            await writer.discard()

            trial.expectEqual(error, .writerEnded(BlobKey(group: "a")))
            try await trial.expectEqual(trial.bytes(of: blob), [])
        },
        Self("A body beyond the size limit is refused and the previous one stays") { trial in
            let key = BlobKey(group: "a")
            let stored = try await trial.write(key, [1, 2, 3])
            let limit = BlobStoreConformance.byteLimit

            let writer = try await trial.store.write(key, metadata: [])
            var length = 0
            let error = try await trial.error {
                while length <= limit {
                    try await writer.append(trial.body(1, count: 100_000))
                    length += 100_000
                }
            }

            guard case .tooLong(key, let reportedLimit)? = error else { return trial.expect(false, "\(length) bytes were taken") }
            trial.expect(
                reportedLimit <= limit && length <= reportedLimit && length + 100_000 > reportedLimit - 10_000,
                "a limit of \(reportedLimit), \(length) bytes taken")
            try await trial.expectEqual(trial.bytes(of: stored), [1, 2, 3])
            let metadataError = try await trial.error { _ = try await trial.store.setMetadata(trial.body(1, count: limit), of: stored) }
            trial.expectEqual(metadataError, .tooLong(key, limit: reportedLimit))
            try await trial.expectEqual(trial.blob(key), stored)
        },
    ]
}
