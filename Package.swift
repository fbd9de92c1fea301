// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTPCompression: Target.Dependency = .product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let package = Package(
    name: "lading",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "LadingOperations", targets: ["LadingOperations"]),
        .library(name: "LadingCaching", targets: ["LadingCaching"]),
        .library(name: "LadingHTTP", targets: ["LadingHTTP"]),
        .library(name: "LadingNIO", targets: ["LadingNIO"]),
        .library(name: "LadingFeeds", targets: ["LadingFeeds"]),
        .library(name: "LadingTesting", targets: ["LadingTesting"]),
        .executable(name: "lading", targets: ["lading"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    ],
    targets: [
        // The engine.
        .target(name: "LadingOperations", swiftSettings: strict),
        .target(name: "LadingCaching", swiftSettings: strict),
        .target(
            name: "LadingHTTP",
            dependencies: ["LadingOperations", "LadingCaching", httpTypes],
            swiftSettings: strict
        ),
        .target(
            name: "LadingNIO",
            dependencies: ["LadingHTTP", asyncHTTPClient, httpTypes, nio, nioHTTP1, nioHTTPCompression],
            swiftSettings: strict
        ),
        .target(
            name: "LadingFeeds",
            dependencies: ["LadingOperations", "LadingCaching", "LadingHTTP"],
            swiftSettings: strict
        ),
        .target(
            name: "LadingTesting",
            dependencies: ["LadingOperations", "LadingHTTP", httpTypes],
            swiftSettings: strict
        ),

        // The apps.
        .target(name: "DemoCity", swiftSettings: strict),
        .target(
            name: "Orders",
            dependencies: ["LadingOperations", "LadingCaching", "LadingHTTP", "LadingFeeds", httpTypes],
            swiftSettings: strict
        ),
        .target(
            name: "Origin",
            dependencies: ["DemoCity", hummingbird, grdb, lifecycle, logging],
            resources: [.copy("Demo/Groceries")],
            swiftSettings: strict
        ),
        .target(
            name: "Window",
            dependencies: [
                "DemoCity", "LadingOperations", "LadingCaching", "LadingHTTP", "LadingFeeds", "Orders",
                crypto, hummingbird, httpTypes, lifecycle, logging, mustache, nio,
            ],
            resources: [.copy("Templates"), .copy("Scripts"), .copy("Styles"), .copy("Icons")],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lading",
            dependencies: [
                "LadingOperations", "LadingHTTP", "LadingNIO", "LadingFeeds", "Orders", "Origin", "Window",
                argumentParser, lifecycle, logging, unixSignals,
            ],
            swiftSettings: strict
        ),

        // The tests, one folder per target; BrowserTests are Python and run by `make test`.
        .testTarget(
            name: "LadingOperationsTests",
            dependencies: ["LadingOperations", "LadingTesting"],
            swiftSettings: strict
        ),
        .testTarget(name: "LadingCachingTests", dependencies: ["LadingCaching"], swiftSettings: strict),
        .testTarget(
            name: "LadingHTTPTests",
            dependencies: ["LadingHTTP", "LadingOperations", "LadingTesting", httpTypes],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LadingNIOTests",
            dependencies: ["LadingNIO", "LadingHTTP", "LadingTesting", nio, nioHTTP1, nioPosix, httpTypes],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LadingFeedsTests",
            dependencies: ["LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "OrdersTests",
            dependencies: ["Orders", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting", httpTypes],
            swiftSettings: strict
        ),
        .testTarget(
            name: "OriginTests",
            dependencies: ["Origin", "DemoCity", hummingbird, hummingbirdTesting, grdb, logging],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WindowTests",
            dependencies: [
                "Window", "Orders", "DemoCity", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting",
                hummingbird, hummingbirdTesting, httpTypes,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "JourneyTests",
            dependencies: ["lading"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
