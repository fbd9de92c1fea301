import Hummingbird

/// The pages of one app: their routes, and the screens of pages that open their stream anew.
protocol AppRoutes: Sendable {
    func add(to router: Router<WindowContext>)

    /// The screen that a page describes; nil when it is none of this app's.
    ///
    /// - Throws: Why the screen cannot be shown.
    func screen(_ description: PageDescription, in language: Language) async throws -> (any WindowScreen)?
}
