#if DEBUG
    import Foundation
    import LadingTesting
    import NIOCore

    @testable import Origin

    /// A scenario that begins, continues and publishes uploads after a kill.
    struct UploadScenario: FaultScenario {
        private static let body = BlobGenerator.body(1, count: 60_000)
        private static let partLength = 20_000
        private static let date = Date(timeIntervalSince1970: 1_800_000_000)

        private let folder: URL
        /// The id of each upload that was created.
        private var ids: [Int: String] = [:]
        /// The offset of each upload that was confirmed last.
        private var offsets: [Int: Int] = [:]
        /// The uploads whose files were published.
        private var published: Set<Int> = []

        init(folder: URL) {
            self.folder = folder
        }

        mutating func prepare() async throws {
            let store = try Self.makeStore(in: folder.stagingDirectory)
            for number in 0..<2 {
                try create(number, in: store)
                try append(to: number, until: Self.partLength, in: store)
            }
            try folder.stagingDirectory.copyContents(to: folder)
        }

        mutating func run() async {
            guard let store = try? Self.makeStore(in: folder) else { return }
            for number in 2..<4 { try? create(number, in: store) }
            for number in 0..<4 { try? append(to: number, until: 2 * Self.partLength, in: store) }
            for number in [0, 2] { try? publish(number, in: store) }
        }

        func problems() async throws -> [String] {
            let store = try Self.makeStore(in: folder)
            var problems: [String] = []
            for (number, offset) in offsets.sorted(by: { $0.key < $1.key }) {
                guard let record = ids[number].flatMap({ store[$0] }) else {
                    problems.append("upload \(number) is gone")
                    continue
                }
                if try store.offset(of: record) < offset { problems.append("upload \(number) ends before its confirmed offset \(offset)") }
                if published.contains(number), !record.isComplete { problems.append("file \(number) is not published") }
                let file: StoredFile? = try record.isComplete ? store.file(Self.name(number)) : store.open(record)
                let bytes = try file?.read(from: 0, atMost: offset)
                if bytes != ByteBuffer(bytes: Self.body.prefix(offset)) { problems.append("the bytes of upload \(number) are torn") }
            }
            return problems
        }
    }

    extension UploadScenario {
        private mutating func create(_ number: Int, in store: UploadStore) throws {
            ids[number] = try store.create(Self.name(number), length: Self.body.count).id
            offsets[number] = 0
        }

        private mutating func append(to number: Int, until end: Int, in store: UploadStore) throws {
            guard let record = ids[number].flatMap({ store[$0] }) else { return }
            let offset = try store.offset(of: record)
            guard offset < end else { return }
            let file = try store.open(record)
            try file.append(ByteBuffer(bytes: Self.body[offset..<end]))
            try store.checkpoint(record, file, upTo: end)
            offsets[number] = end
        }

        private mutating func publish(_ number: Int, in store: UploadStore) throws {
            try append(to: number, until: Self.body.count, in: store)
            guard let record = ids[number].flatMap({ store[$0] }), offsets[number] == Self.body.count else { return }
            if try store.publish(record, length: Self.body.count) != nil { published.insert(number) }
        }

        private static func makeStore(in folder: URL) throws -> UploadStore {
            try UploadStore(in: folder, sizeLimit: body.count, bootID: "boot", now: { Self.date })
        }

        private static func name(_ number: Int) -> UploadName { UploadName("file-\(number)")! }
    }
#endif
