import Hummingbird

/// The context of one request to the window.
struct WindowContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) {
        coreContext = .init(source: source)
    }

    /// Reports of pages are small.
    var maxUploadSize: Int { 4_096 }
}
