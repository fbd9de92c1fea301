import Foundation
import NIOCore
import ServerStartup

/// The images of the groceries, read once.
struct GroceryImages: Sendable {
    private let images: [Int: ByteBuffer]

    init(directory: URL) throws(OriginError) {
        var images: [Int: ByteBuffer] = [:]
        for grocery in Grocery.catalog {
            let file = directory.appending(path: grocery.imageFileName)
            guard let data = try? Data(contentsOf: file) else { throw .startup(.resourcesMissing(file)) }
            images[grocery.id] = ByteBuffer(bytes: data)
        }
        self.images = images
    }

    subscript(id: Int) -> ByteBuffer? {
        images[id]
    }
}

extension GroceryImages {
    /// Returns the folder of images that ships with the program.
    static func bundledDirectory() throws(OriginError) -> URL {
        do {
            return try ProgramResources.folder(of: "Origin", .module).appending(path: "Groceries")
        } catch {
            throw .startup(error)
        }
    }
}
