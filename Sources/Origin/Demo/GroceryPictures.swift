import Foundation
import NIOCore

/// The drawings of the groceries, read once.
struct GroceryPictures: Sendable {
    private let pictures: [Int: ByteBuffer]

    init(directory: URL) throws(OriginError) {
        var pictures: [Int: ByteBuffer] = [:]
        for grocery in Grocery.catalogue {
            let file = directory.appending(path: grocery.pictureName)
            guard let data = try? Data(contentsOf: file) else { throw .resourcesMissing(file) }
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
    ///
    /// Looked for before `Bundle.module` is touched, which ends the process when a binary was copied on its own.
    static func bundledDirectory() throws(OriginError) -> URL {
        #if os(Linux)
            let resources = Bundle.main.bundleURL.appending(path: "lading_Origin.resources")
            guard FileManager.default.fileExists(atPath: resources.path) else { throw .resourcesMissing(resources) }
        #endif
        return Bundle.module.bundleURL.appending(path: "Groceries")
    }
}
