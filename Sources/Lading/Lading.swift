// `import Lading` imports the libraries of a screen (Docs/Decisions/0036-umbrella-module.md).
@_exported public import LadingCaching
@_exported public import LadingFeeds
@_exported public import LadingHTTP
@_exported public import LadingOperations
@_exported public import LadingRecords
