import Foundation
import NIOCore
import ServerStartup

/// The drawings of the groceries, read once.
struct GroceryPictures: Sendable {
    private let pictures: [Int: ByteBuffer]

    init(directory: URL) throws(OriginError) {
        var pictures: [Int: ByteBuffer] = [:]
        for grocery in Grocery.catalogue {
            let file = directory.appending(path: grocery.pictureName)
            guard let data = try? Data(contentsOf: file) else { throw .startup(.resourcesMissing(file)) }
            pictures[grocery.id] = ByteBuffer(bytes: data)
        }
        self.pictures = pictures
    }

    subscript(id: Int) -> ByteBuffer? {
        pictures[id]
    }
}

extension GroceryPictures {
    /// The folder of drawings that ships with the program.
    static func bundledDirectory() throws(OriginError) -> URL {
        do {
            return try ProgramResources.folder(of: "Origin", .module).appending(path: "Groceries")
        } catch {
            throw .startup(error)
        }
    }
}
