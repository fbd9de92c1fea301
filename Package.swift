// swift-tools-version: 6.2

import PackageDescription

/// With this variable set only the engine is built, without any server: what the thread sanitizer runs on.
let isEngineOnly = Context.environment["LADING_ENGINE_ONLY"] != nil

/// With this variable set there is also the program that `make fuzz` runs.
let isFuzzed = Context.environment["LADING_FUZZ"] != nil

/// With this variable set warnings are errors, as in all tests. Where this is a dependency of others, Xcode silences its warnings, which excludes that.
let isStrict = Context.environment["LADING_STRICT"] != nil

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPCompression: Target.Dependency = .product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
/// Image codecs, for thumbnails and for the photos of the demo; without the trait the originals are shown.
let png: Target.Dependency = .target(name: "CPNG", condition: .when(traits: ["Thumbnails"]))
let structuredFields: Target.Dependency = .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
let turboJPEG: Target.Dependency = .target(name: "CTurboJPEG", condition: .when(traits: ["Thumbnails"]))
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A target with the settings of the house.
func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// The tests of a target.
func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let engine: [Target] = [
    library("DiskSpace"),
    library("FileLocks"),
    library("FileChecksums", ["FilePermissions"]),
    library("FilePermissions"),
    library("LadingOperations"),
    library("LadingCaching"),
    library(
        "LadingHTTP", ["FileLocks", "FilePermissions", "LadingOperations", "LadingCaching", crypto, httpTypes, structuredFields]),
    library("LadingFeeds", ["LadingOperations", "LadingCaching"]),
    library("LadingTesting", ["LadingFeeds", "LadingCaching", "LadingHTTP", crypto, httpTypes]),
    library("Orders", ["LadingOperations", "LadingCaching", "LadingHTTP", "LadingFeeds", httpTypes]),
    library("Deliveries", ["LadingOperations", "LadingHTTP", "LadingFeeds", httpTypes]),
    library("MarsPhotos", ["LadingOperations", "LadingHTTP", "LadingFeeds", httpTypes]),

    .executableTarget(
        name: "OperationBenchmarks", dependencies: ["LadingOperations"], path: "Benchmarks/Operations", swiftSettings: strict),

    tests(of: "DiskSpace", ["DiskSpace"]),
    tests(of: "FilePermissions", ["FilePermissions"]),
    tests(of: "LadingOperations", ["LadingOperations", "LadingTesting"]),
    tests(of: "LadingCaching", ["LadingCaching", "LadingTesting"]),
    tests(of: "LadingHTTP", ["LadingHTTP", "LadingCaching", "LadingOperations", "LadingTesting", httpTypes]),
    tests(of: "LadingFeeds", ["LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting"]),
    tests(of: "Orders", ["Orders", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting", httpTypes]),
    tests(of: "Deliveries", ["Deliveries", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting", httpTypes]),
    tests(of: "MarsPhotos", ["MarsPhotos", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingTesting", httpTypes]),
]

let servers: [Target] = [
    library("LadingConfiguration", ["LadingHTTP", configuration, httpTypes]),
    library(
        "LadingNIO",
        ["LadingHTTP", asyncHTTPClient, httpTypes, logging, nio, nioHTTP1, nioHTTPCompression, nioPosix]),
    library(
        "LadingSQLite",
        [
            "DiskSpace", "FileChecksums", "FileLocks", "FilePermissions", "LadingCaching", "LadingFeeds", "LadingHTTP", crypto, grdb,
            grdbSQLite, httpTypes,
        ]),
    library("CrashReports", ["FilePermissions", "LadingHTTP", "LadingOperations", httpTypes]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    library("CacheTraces", ["CZlib", "LadingCaching"]),
    library("ContentCoding", ["CZlib", httpTypes, hummingbird, nio]),
    .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(name: "CPNG", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    library("Thumbnails", [turboJPEG, png]),
    library(
        "CacheProxy",
        [
            "ServerSecurity", "ServerStartup", "LadingHTTP", "LadingOperations", httpTypes, hummingbirdCore, lifecycle, logging, nio,
            nioHTTP1, nioHTTPTypes, nioPosix,
        ]),
    library("DemoCity"),
    library("ServerStartup", ["DiskSpace", "FileLocks", "FilePermissions", hummingbirdCore, hummingbirdTLS, nio, nioSSL]),
    library("ServerSecurity", ["ServerStartup", httpTypes, nio, nioHTTP1]),
    library(
        "Origin",
        [
            "ContentCoding", "DemoCity", "DiskSpace", "FileChecksums", "FilePermissions", "ServerSecurity", "ServerStartup", "CZlib",
            turboJPEG, grdb, httpTypes, hummingbird, lifecycle, logging, nio, nioHTTP1, nioHTTPTypes, nioPosix,
        ],
        resources: [.copy("Demo/Groceries")]),
    library(
        "Window",
        [
            "ContentCoding", "DemoCity", "DiskSpace", "ServerSecurity", "ServerStartup", "LadingOperations", "LadingCaching",
            "LadingHTTP", "LadingFeeds", "Orders", "Deliveries", "MarsPhotos", "Thumbnails", crypto, httpTypes, hummingbird,
            hummingbirdCore, lifecycle, logging, mustache, nio,
        ],
        resources: [.copy("Templates"), .copy("Scripts"), .copy("Styles"), .copy("Icons")]),
    .executableTarget(
        name: "lading",
        dependencies: [
            "CacheProxy", "CacheTraces", "CrashReports", "DiskSpace", "LadingCaching", "LadingOperations", "LadingFeeds", "LadingHTTP",
            "LadingNIO", "LadingSQLite", "Deliveries", "FilePermissions", "MarsPhotos", "Orders", "Origin", "ServerSecurity",
            "ServerStartup", "Window", argumentParser, httpTypes, lifecycle, logging, unixSignals,
        ],
        swiftSettings: strict),

    .executableTarget(
        name: "CacheBenchmarks", dependencies: ["CacheTraces", "LadingCaching", "LadingSQLite"], path: "Benchmarks/Caching",
        swiftSettings: strict),
    .executableTarget(
        name: "FlingBenchmarks",
        dependencies: [
            "LadingFeeds", "LadingHTTP", "LadingNIO", "LadingOperations", "LadingTesting", "Origin", "ServerStartup",
        ],
        path: "Benchmarks/Flings", swiftSettings: strict),
    .executableTarget(
        name: "RecordBenchmarks", dependencies: ["LadingFeeds", "LadingSQLite", "LadingTesting"], path: "Benchmarks/Records",
        swiftSettings: strict),

    tests(of: "CacheTraces", ["CacheTraces"]),
    tests(of: "ContentCoding", ["CacheTraces", "ContentCoding", httpTypes, hummingbird, hummingbirdTesting, nio]),
    tests(of: "Thumbnails", ["Thumbnails", "LadingTesting"]),
    tests(
        of: "CacheProxy",
        [
            "CacheProxy", "LadingCaching", "LadingHTTP", "LadingNIO", "LadingTesting", "ServerSecurity", "ServerStartup", httpTypes,
            logging, nio, nioPosix,
        ]),
    // It compiles the files in Pages itself, as a package without these settings would; the modules that they import must be built by then.
    .testTarget(
        name: "GuideTests",
        dependencies: [
            "Deliveries", "LadingCaching", "LadingFeeds", "LadingHTTP", "LadingNIO", "LadingOperations", "LadingSQLite", "LadingTesting",
            "MarsPhotos",
        ],
        exclude: ["Pages"], swiftSettings: strict),
    // The browser tests are Python, in Tests/BrowserTests.
    tests(of: "LadingConfiguration", ["LadingConfiguration", "LadingHTTP", configuration, httpTypes]),
    tests(of: "LadingNIO", ["LadingNIO", "LadingHTTP", "LadingTesting", asyncHTTPClient, httpTypes, logging, nio, nioPosix, nioSSL]),
    .target(name: "CAllocationFaults", path: "Tests/CAllocationFaults"),
    .executableTarget(
        name: "RecordProgram", dependencies: ["CAllocationFaults", "LadingFeeds", "LadingSQLite", "LadingTesting"],
        path: "Tests/RecordProgram", swiftSettings: strict),
    .executableTarget(
        name: "OutboxProgram", dependencies: ["CAllocationFaults", "LadingHTTP", "LadingNIO", "LadingOperations", "LadingSQLite"],
        path: "Tests/OutboxProgram", swiftSettings: strict),
    .executableTarget(
        name: "TransferProgram", dependencies: ["CAllocationFaults", "LadingHTTP", "LadingNIO", "LadingOperations", "LadingSQLite"],
        path: "Tests/TransferProgram", swiftSettings: strict),
    .executableTarget(
        name: "BlobProgram", dependencies: ["CAllocationFaults", "LadingCaching", "LadingSQLite", "LadingTesting"],
        path: "Tests/BlobProgram", swiftSettings: strict),
    // The tests do not depend on the program, which would replace these calls of the system in all of them; it is built with them all the same.
    .target(name: "CFileFaults", path: "Tests/CFileFaults"),
    .executableTarget(
        name: "FaultProgram",
        dependencies: [
            "CFileFaults", "LadingCaching", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingSQLite", "LadingTesting", "Origin",
            grdb, httpTypes, nio,
        ],
        path: "Tests/FaultProgram", swiftSettings: strict),
    tests(
        of: "LadingSQLite",
        [
            "LadingSQLite", "FileChecksums", "LadingCaching", "LadingFeeds", "LadingHTTP", "LadingNIO", "LadingOperations",
            "LadingTesting", "BlobProgram", "OutboxProgram", "RecordProgram", "TransferProgram", grdb, httpTypes,
        ]),
    tests(of: "CrashReports", ["CrashReports", "LadingHTTP", "LadingOperations", "LadingTesting", httpTypes]),
    tests(of: "ServerStartup", ["ServerStartup", hummingbirdCore, nio, nioEmbedded]),
    tests(of: "ServerSecurity", ["ServerSecurity", "ServerStartup", httpTypes, nio, nioEmbedded, nioHTTP1]),
    tests(
        of: "Origin",
        [
            "Origin", "CacheTraces", "DemoCity", "FileChecksums", "LadingTesting", "ServerSecurity", "ServerStartup",
            grdb, httpTypes, hummingbird, hummingbirdTesting, lifecycle, logging, nio, nioEmbedded, nioHTTPTypes, nioPosix,
        ]),
    tests(
        of: "Window",
        [
            "Window", "CacheTraces", "Orders", "Deliveries", "MarsPhotos", "DemoCity", "ServerSecurity", "ServerStartup", "LadingFeeds",
            "LadingHTTP", "LadingOperations", "LadingTesting", "Thumbnails", httpTypes, hummingbird, hummingbirdTesting, logging, nio,
        ]),
    tests(
        of: "Journey",
        [
            "lading", "Deliveries", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingSQLite", "LadingTesting", "MarsPhotos",
            httpTypes, hummingbird, hummingbirdTesting, logging, nio, nioPosix, nioSSL,
        ],
        exclude: ["Fixtures"]),
]

/// It is linked with libFuzzer by the flags of Scripts/fuzz.
let fuzzing: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    .executableTarget(
        name: "LadingFuzz",
        dependencies: [
            "CLibFuzzer", "CacheProxy", "CacheTraces", "ContentCoding", "CrashReports", "Deliveries", "LadingFeeds", "LadingHTTP",
            "MarsPhotos", "Orders", "Origin", "ServerSecurity", "ServerStartup", "Thumbnails", "Window", httpTypes, hummingbird, nio,
            nioEmbedded, nioHTTP1,
        ],
        path: "Fuzz/LadingFuzz", swiftSettings: strict),
]

let package = Package(
    name: "lading",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "LadingOperations", targets: ["LadingOperations"]),
        .library(name: "LadingCaching", targets: ["LadingCaching"]),
        .library(name: "LadingHTTP", targets: ["LadingHTTP"]),
        .library(name: "LadingFeeds", targets: ["LadingFeeds"]),
        .library(name: "LadingTesting", targets: ["LadingTesting"]),
    ],
    traits: [
        .trait(name: "Thumbnails", description: "Makes thumbnails of pictures with libjpeg-turbo and libpng."),
        .default(enabledTraits: ["Thumbnails"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: engine,
    swiftLanguageModes: [.v6]
)

if !isEngineOnly {
    package.products += [
        .library(name: "LadingConfiguration", targets: ["LadingConfiguration"]),
        .library(name: "LadingNIO", targets: ["LadingNIO"]),
        .library(name: "LadingSQLite", targets: ["LadingSQLite"]),
        .executable(name: "lading", targets: ["lading"]),
    ]
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ]
    package.targets += servers
    if isFuzzed { package.targets += fuzzing }
}
