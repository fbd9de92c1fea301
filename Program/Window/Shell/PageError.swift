/// An error of a request to the window.
enum PageError: Error, CaseIterable {
    /// The list was loaded and does not contain the order.
    case noSuchOrder
    /// The delivery is not stored.
    case noSuchDelivery
    case noSuchRover
    /// No sol has this number, or no sol in this direction has photos.
    case noSuchSol
    /// The list of the sol was loaded and does not contain the photo.
    case noSuchPhoto
    /// No resource has this path.
    case notFound
    case noSuchScreen
    /// The session is unknown or expired; the page opens a new one.
    case sessionGone
    case tooManyPages
    /// The person sends as many files already as one may at a time.
    case tooManyUploads
    /// The page was that of somebody who is not signed in any more.
    case signedOut
    /// A cross-origin request would change data.
    case crossOrigin
    /// The request names another host.
    case hostNotAllowed
    case malformedRequest
    /// The favourite mark could not be stored.
    case notStored
    /// The favourite mark could not be stored because the disk is full.
    case diskFull
    case contentTooLarge
}
