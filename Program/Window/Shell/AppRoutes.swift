import Hummingbird

/// The routes of one app, and the screens of its pages for event streams.
protocol AppRoutes: Sendable {
    func add(to router: Router<WindowContext>)

    /// Returns the screen of a page; nil when it belongs to another app.
    ///
    /// - Parameter token: The token of the person who is signed in; nil for nobody.
    /// - Throws: An error when the screen cannot be shown.
    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)?
}
