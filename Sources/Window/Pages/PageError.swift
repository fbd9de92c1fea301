/// Why the window does not do what it is asked.
enum PageError: Error, CaseIterable {
    /// The list was read, and the order is not in it.
    case noSuchOrder
    /// The delivery is not stored.
    case noSuchDelivery
    case noSuchRover
    /// No sol has this number, or there is none with photos in that direction.
    case noSuchSol
    /// The list of its sol was read, and the photo is not in it.
    case noSuchPhoto
    /// There is nothing at this path.
    case notFound
    case noSuchScreen
    /// The window is not known, or not any more: the page opens another.
    case sessionGone
    case tooManyPages
    /// A page of another server, or none, asks to change something.
    case crossOrigin
    /// The request names another server than this one.
    case hostNotAllowed
    case malformedRequest
    /// What was to be marked could not be kept here.
    case notStored
    /// There is no room on the disk for what was to be marked.
    case diskFull
    case contentTooLarge
}
