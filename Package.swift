// swift-tools-version: 6.2

import PackageDescription

/// With this variable set there are also the program, its tests, the benchmarks and the tests that need traits, as `make` sets it. A package that
/// depends on this one resolves and sees nothing of them.
let isProgram = Context.environment["LADING_PROGRAM"] != nil

/// With this variable and LADING_PROGRAM set there is also the program that `make fuzz` runs.
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

// The dependencies of the libraries. A package behind a trait that nobody enables is not resolved. A plain `swift build` of this package builds all
// of its targets, whatever their traits, so the files of LadingNIO and LadingConfiguration are inside of `#if` with the name of the trait; SQLite is
// enabled by default.
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["NIO"]))
let configuration: Target.Dependency = .product(
    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"]))
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log", condition: .when(traits: ["NIO"]))
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["NIO"]))
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["NIO"]))
let nioHTTPCompression: Target.Dependency = .product(
    name: "NIOHTTPCompression", package: "swift-nio-extras", condition: .when(traits: ["NIO"]))
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["NIO"]))
let structuredFields: Target.Dependency = .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers")

// The dependencies of the program and of tests.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
/// Image codecs, for thumbnails and for the photos of the demo; without the trait the originals are shown.
let png: Target.Dependency = .target(name: "CPNG", condition: .when(traits: ["Thumbnails"]))
let turboJPEG: Target.Dependency = .target(name: "CTurboJPEG", condition: .when(traits: ["Thumbnails"]))
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A target in Sources, with the settings of the house.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A target in Program, with the settings of the house.
func program(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Program/\(name)", resources: resources, swiftSettings: strict)
}

/// An executable with the settings of the house.
func executable(_ name: String, at path: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// The tests of a target.
func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// The targets that libraries share; no product contains them alone.
let sharedTargets: [Target] = [
    library("Decisions"),
    library("Digests"),
    library("DiskSpace"),
    library("ErrorDescriptions"),
    library("FileAccess", ["FileLocks"]),
    library("FileChecksums", ["FilePermissions"]),
    library("FileLocks"),
    library("FilePermissions"),
    library("HTTPFieldValues", [httpTypes]),
    library("JSONWriting"),
    library("ScriptedServers"),
    library("SQLiteFiles", ["DiskSpace", "ErrorDescriptions", "FileChecksums", "FilePermissions", grdb]),
    library("TemporaryFolders"),
    library("Timing"),
    library("UpdateMerging"),
]

let libraries: [Target] = [
    library("LadingOperations", ["Decisions", "ErrorDescriptions", "JSONWriting", "Timing"]),
    library("LadingCaching"),
    library(
        "LadingHTTP",
        [
            "Decisions", "ErrorDescriptions", "HTTPFieldValues", "LadingCaching", "LadingOperations", "Timing", httpTypes, structuredFields,
        ]),
    library(
        "LadingTransfers",
        [
            "Decisions", "Digests", "ErrorDescriptions", "FileAccess", "FileLocks", "HTTPFieldValues", "LadingHTTP", "LadingOperations",
            "Timing", httpTypes,
        ]),
    library("LadingOutbox", ["Decisions", "Digests", "HTTPFieldValues", "LadingHTTP", "LadingOperations", "Timing", httpTypes]),
    library("LadingRecording", ["Digests", "ErrorDescriptions", "FilePermissions", "LadingHTTP", "Timing", httpTypes]),
    library(
        "LadingFirebase",
        ["Decisions", "ErrorDescriptions", "FileAccess", "LadingHTTP", "LadingOperations", "LadingTransfers", "Timing", httpTypes]),
    library("LadingRecords", ["Decisions", "UpdateMerging"]),
    library("LadingFeeds", ["Decisions", "LadingCaching", "LadingOperations", "LadingRecords", "Timing", "UpdateMerging"]),
    library(
        "LadingNIO",
        ["ErrorDescriptions", "LadingHTTP", asyncHTTPClient, httpTypes, logging, nio, nioHTTP1, nioHTTPCompression, nioPosix]),
    library(
        "LadingSQLite",
        ["Digests", "FileAccess", "FileChecksums", "FilePermissions", "LadingCaching", "LadingRecords", "SQLiteFiles", grdb, grdbSQLite]),
    library("LadingJournals", ["FileLocks", "LadingOutbox", "LadingTransfers", "SQLiteFiles", grdb, httpTypes]),
    library("LadingConfiguration", ["ErrorDescriptions", "LadingHTTP", configuration, httpTypes]),
    library(
        "LadingTesting", ["LadingFeeds", "LadingHTTP", "LadingOutbox", "LadingRecords", "LadingTransfers", "ScriptedServers", httpTypes]),
    library(
        "LadingConformance",
        ["LadingCaching", "LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecords", "LadingTesting", "ScriptedServers", httpTypes]),
    library("LadingFirebaseTesting", ["LadingFirebase", "LadingHTTP", "ScriptedServers", httpTypes]),
    library("Lading", ["LadingCaching", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingRecords"]),
]

/// The tests that need no trait.
let libraryTests: [Target] = [
    tests(of: "Digests", ["Digests"]),
    tests(of: "DiskSpace", ["DiskSpace"]),
    tests(of: "ErrorDescriptions", ["ErrorDescriptions"]),
    tests(of: "FilePermissions", ["FilePermissions"]),
    tests(of: "HTTPFieldValues", ["HTTPFieldValues", httpTypes]),
    tests(of: "JSONWriting", ["JSONWriting"]),
    tests(of: "LadingOperations", ["LadingOperations", "LadingTesting"]),
    tests(of: "LadingCaching", ["LadingCaching", "LadingConformance", "LadingTesting"]),
    tests(
        of: "LadingHTTP",
        [
            "HTTPFieldValues", "LadingCaching", "LadingConformance", "LadingHTTP", "LadingOperations", "LadingTesting", "ScriptedServers",
            "TemporaryFolders", httpTypes,
        ]),
    tests(
        of: "LadingTransfers",
        ["HTTPFieldValues", "LadingHTTP", "LadingOperations", "LadingTesting", "LadingTransfers", "ScriptedServers", httpTypes]),
    tests(
        of: "LadingOutbox",
        ["HTTPFieldValues", "LadingConformance", "LadingHTTP", "LadingOperations", "LadingOutbox", "LadingTesting", httpTypes]),
    tests(
        of: "LadingRecording",
        [
            "LadingConformance", "LadingHTTP", "LadingOperations", "LadingRecording", "LadingTesting", "ScriptedServers",
            "TemporaryFolders", httpTypes,
        ]),
    tests(
        of: "LadingFirebase",
        [
            "LadingCaching", "LadingFirebase", "LadingFirebaseTesting", "LadingHTTP", "LadingOperations", "LadingRecording",
            "LadingTesting", "LadingTransfers", "ScriptedServers", "TemporaryFolders", httpTypes,
        ]),
    tests(of: "LadingRecords", ["LadingConformance", "LadingRecords", "LadingTesting"]),
    tests(of: "LadingFeeds", ["LadingFeeds", "LadingHTTP", "LadingOperations", "LadingRecords", "LadingTesting", "Timing"]),
    tests(of: "Lading", ["Lading", "LadingTesting", "ScriptedServers", httpTypes]),
]

/// The wire formats, requests and feeds of the program. They need no other package, so the thread sanitizer and the mutations test them without it.
let domains: [Target] = [
    program("Orders", ["LadingCaching", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingRecords", httpTypes]),
    program("Deliveries", ["LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecords", httpTypes]),
    program("MarsPhotos", ["LadingFeeds", "LadingHTTP", "LadingOperations", httpTypes]),
    program("OrderLifecycle"),
    program("HistoryChecking", ["OrderLifecycle"]),

    tests(of: "Orders", ["LadingFeeds", "LadingHTTP", "LadingOperations", "LadingRecords", "LadingTesting", "Orders", httpTypes]),
    tests(of: "Deliveries", ["Deliveries", "LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecords", "LadingTesting", httpTypes]),
    tests(of: "MarsPhotos", ["LadingHTTP", "LadingOperations", "LadingTesting", "MarsPhotos", httpTypes]),
    tests(of: "OrderLifecycle", ["LadingTesting", "OrderLifecycle"]),
    tests(of: "HistoryChecking", ["HistoryChecking", "OrderLifecycle"]),
]

/// The templates, scripts, styles and icons of the window: one folder per feature, beside its Swift files. They are built into one folder without
/// subfolders, so two files of the same name are an error of the build.
let pageResources: [Resource] = [
    "Account", "Deliveries", "Lists", "Localization", "Maps", "Offline", "Operations", "Orders", "Photos", "Shell", "Streaming",
].map { .process("\($0)/Resources") }

/// The servers, the page and the command line.
let programTargets: [Target] = [
    .systemLibrary(name: "CZlib", path: "Program/CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CTurboJPEG", path: "Program/CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(name: "CPNG", path: "Program/CPNG", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    program("CrashReports", ["FilePermissions", "HTTPFieldValues", "LadingHTTP", "LadingOperations", httpTypes]),
    program("CacheTraces", ["CZlib", "LadingCaching"]),
    program("ContentCoding", ["CZlib", httpTypes, hummingbird, nio]),
    program("Thumbnails", [png, turboJPEG]),
    program("DemoCity"),
    program("SeededNumbers"),
    program("OrderStorage", ["Digests", "OrderLifecycle"]),
    program("OrderSimulation", ["Digests", "HistoryChecking", "OrderLifecycle", "OrderStorage", "SeededNumbers"]),
    program("OrderStorageSQLite", ["Digests", "OrderLifecycle", "OrderStorage", grdb]),
    program(
        "OrderAPI",
        [
            "Digests", "HTTPFieldValues", "JSONWriting", "OrderLifecycle", "OrderStorage", "ServerSecurity", "ServerStartup", httpTypes,
            hummingbird, lifecycle, logging, nio,
        ], resources: [.copy("Description/openapi.json")]),
    program("ServerStartup", ["DiskSpace", "FileLocks", "FilePermissions", hummingbirdCore, hummingbirdTLS, nio, nioSSL]),
    program("ServerSecurity", ["ServerStartup", httpTypes, nio, nioHTTP1]),
    program(
        "CacheProxy",
        [
            "HTTPFieldValues", "LadingHTTP", "ServerSecurity", "ServerStartup", "Timing", httpTypes, hummingbirdCore, lifecycle, logging,
            nio, nioHTTP1, nioHTTPTypes, nioPosix,
        ]),
    program(
        "Origin",
        [
            "CZlib", "ContentCoding", "DemoCity", "DiskSpace", "FileChecksums", "FilePermissions", "HTTPFieldValues", "JSONWriting",
            "OrderAPI", "OrderLifecycle", "OrderStorage", "OrderStorageSQLite", "SQLiteFiles", "SeededNumbers", "ServerSecurity",
            "ServerStartup", grdb,
            httpTypes, hummingbird, lifecycle, logging, nio, nioHTTP1, nioHTTPTypes, nioPosix, turboJPEG,
        ], resources: [.copy("Demo/Groceries")]),
    program(
        "Window",
        [
            "ContentCoding", "Deliveries", "DemoCity", "Digests", "DiskSpace", "HTTPFieldValues", "JSONWriting", "LadingCaching",
            "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecording", "LadingRecords", "LadingTransfers",
            "MarsPhotos", "Orders", "ServerSecurity", "ServerStartup", "Thumbnails", "Timing", httpTypes, hummingbird, hummingbirdCore,
            lifecycle, logging, mustache, nio,
        ], resources: pageResources),
    // Its module differs from `Lading` in more than case, for file systems that ignore it; the product is `lading`.
    executable(
        "LadingCommand", at: "Program/lading",
        [
            "CacheProxy", "CacheTraces", "CrashReports", "Deliveries", "Digests", "DiskSpace", "FileAccess", "FilePermissions",
            "HTTPFieldValues", "HistoryChecking", "JSONWriting", "LadingCaching", "LadingFeeds", "LadingHTTP", "LadingJournals",
            "LadingNIO", "LadingOperations", "LadingOutbox",
            "LadingRecording", "LadingRecords", "LadingSQLite", "LadingTransfers", "MarsPhotos", "OrderLifecycle", "OrderSimulation",
            "Orders", "Origin", "SQLiteFiles", "ServerSecurity", "ServerStartup", "Timing", "Window", argumentParser, httpTypes, lifecycle,
            logging, unixSignals,
        ]),

    executable("OperationBenchmarks", at: "Benchmarks/Operations", ["LadingOperations"]),
    executable("CacheBenchmarks", at: "Benchmarks/Caching", ["CacheTraces", "LadingCaching", "LadingSQLite", "TemporaryFolders"]),
    executable(
        "FlingBenchmarks", at: "Benchmarks/Flings",
        ["LadingFeeds", "LadingHTTP", "LadingNIO", "LadingOperations", "LadingTesting", "Origin", "ScriptedServers", "ServerStartup"]),
    executable("RecordBenchmarks", at: "Benchmarks/Records", ["LadingRecords", "LadingSQLite", "LadingTesting"]),
]

/// The tests of the program and of the libraries behind traits. The browser tests are Python, in Tests/BrowserTests.
let programTests: [Target] = [
    .target(name: "TestCertificates", dependencies: [crypto], path: "Tests/TestCertificates", swiftSettings: strict),
    .target(
        name: "StoreFixtures", dependencies: ["LadingTesting", "TemporaryFolders"], path: "Tests/StoreFixtures", swiftSettings: strict),
    .target(name: "CAllocationFaults", path: "Tests/CAllocationFaults"),
    executable("RecordProgram", at: "Tests/RecordProgram", ["CAllocationFaults", "LadingConformance", "LadingSQLite"]),
    executable(
        "OutboxProgram", at: "Tests/OutboxProgram",
        ["CAllocationFaults", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox"]),
    executable(
        "TransferProgram", at: "Tests/TransferProgram",
        ["CAllocationFaults", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingTransfers"]),
    executable("BlobProgram", at: "Tests/BlobProgram", ["CAllocationFaults", "LadingCaching", "LadingConformance", "LadingSQLite"]),
    // The tests do not depend on the program, which would replace these calls of the system in all of them; it is built with them all the same.
    .target(name: "CFileFaults", path: "Tests/CFileFaults"),
    executable(
        "FaultProgram", at: "Tests/FaultProgram",
        [
            "CFileFaults", "HTTPFieldValues", "LadingCaching", "LadingConformance", "LadingHTTP", "LadingJournals", "LadingOperations",
            "LadingOutbox", "LadingRecording", "LadingRecords", "LadingSQLite", "LadingTesting", "LadingTransfers", "OrderStorage",
            "OrderStorageSQLite", "Origin", grdb, httpTypes, nio,
        ]),
    tests(of: "LadingConfiguration", ["LadingConfiguration", "LadingHTTP", configuration, httpTypes]),
    tests(
        of: "LadingNIO",
        [
            "LadingConformance", "LadingFirebase", "LadingFirebaseTesting", "LadingHTTP", "LadingNIO", "ScriptedServers",
            "TestCertificates", asyncHTTPClient, httpTypes, logging, nio, nioHTTP1, nioHTTPCompression, nioPosix, nioSSL,
        ]),
    tests(
        of: "LadingSQLite",
        [
            "BlobProgram", "FileChecksums", "LadingCaching", "LadingConformance", "LadingFeeds", "LadingJournals", "LadingOperations",
            "LadingOutbox", "LadingRecords", "LadingSQLite", "LadingTesting", "LadingTransfers", "RecordProgram", "SQLiteFiles",
            "StoreFixtures", grdb,
        ]),
    tests(
        of: "LadingJournals",
        [
            "LadingConformance", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox", "LadingTesting",
            "LadingTransfers", "OutboxProgram", "SQLiteFiles", "ScriptedServers", "StoreFixtures", "TransferProgram", grdb, httpTypes,
        ]),
    // It compiles the files in Pages itself, as a package without these settings would; the modules that they import must be built by then.
    tests(
        of: "Guide",
        [
            "Deliveries", "Lading", "LadingCaching", "LadingConfiguration", "LadingConformance", "LadingFeeds", "LadingFirebase",
            "LadingFirebaseTesting", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox", "LadingRecording",
            "LadingRecords", "LadingSQLite", "LadingTesting", "LadingTransfers", "MarsPhotos",
        ], exclude: ["Pages"]),
    tests(of: "CacheTraces", ["CacheTraces"]),
    .target(
        name: "OrderStorageConformance", dependencies: ["OrderLifecycle", "OrderStorage"], path: "Tests/OrderStorageConformance",
        swiftSettings: strict),
    tests(of: "OrderStorage", ["OrderLifecycle", "OrderStorage"]),
    tests(
        of: "OrderSimulation",
        ["HistoryChecking", "LadingTesting", "OrderLifecycle", "OrderSimulation", "OrderStorage", "OrderStorageSQLite", grdb]),
    tests(of: "OrderStorageSQLite", ["OrderLifecycle", "OrderStorage", "OrderStorageConformance", "OrderStorageSQLite", grdb]),
    tests(
        of: "OrderAPI",
        [
            "Digests", "HTTPFieldValues", "OrderAPI", "OrderLifecycle", "OrderStorage", "OrderStorageSQLite", httpTypes, hummingbird,
            hummingbirdTesting, nio, grdb,
        ]),
    tests(of: "ContentCoding", ["CacheTraces", "ContentCoding", httpTypes, hummingbird, hummingbirdTesting, nio]),
    tests(of: "Thumbnails", ["LadingTesting", "Thumbnails"]),
    tests(
        of: "CacheProxy",
        [
            "CacheProxy", "LadingCaching", "LadingHTTP", "LadingNIO", "LadingTesting", "ScriptedServers", "ServerStartup", httpTypes,
            logging, nio, nioPosix,
        ]),
    tests(of: "CrashReports", ["CrashReports", "LadingHTTP", "LadingOperations", "LadingTesting", "TemporaryFolders", httpTypes]),
    tests(of: "ServerStartup", ["ServerStartup", "TemporaryFolders", hummingbirdCore, nio, nioEmbedded]),
    tests(of: "ServerSecurity", ["ServerSecurity", "ServerStartup", httpTypes, nio, nioEmbedded, nioHTTP1]),
    tests(
        of: "Origin",
        [
            "CacheTraces", "DemoCity", "Digests", "FileChecksums", "HTTPFieldValues", "LadingTesting", "OrderLifecycle", "OrderStorage",
            "OrderStorageSQLite", "Origin", "SQLiteFiles", "SeededNumbers", "ServerSecurity", "ServerStartup", "StoreFixtures",
            "TemporaryFolders", grdb,
            httpTypes,
            hummingbird,
            hummingbirdTesting, lifecycle, logging, nio, nioEmbedded, nioHTTPTypes,
            nioPosix,
        ]),
    tests(
        of: "Window",
        [
            "CacheTraces", "ContentCoding", "Deliveries", "DemoCity", "HTTPFieldValues", "LadingCaching", "LadingFeeds", "LadingHTTP",
            "LadingOperations", "LadingOutbox", "LadingRecording", "LadingRecords", "LadingTesting", "LadingTransfers", "MarsPhotos",
            "Orders", "ServerSecurity", "ServerStartup", "Thumbnails", "Timing", "Window", httpTypes, hummingbird, hummingbirdTesting,
            logging, nio,
        ]),
    tests(
        of: "Journey",
        [
            "Deliveries", "Digests", "LadingCommand", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox",
            "LadingRecords", "LadingSQLite", "LadingTesting", "MarsPhotos", "ScriptedServers", "TemporaryFolders", "TestCertificates",
            httpTypes, hummingbird, hummingbirdTesting, logging, nio, nioPosix, nioSSL,
        ], exclude: ["Fixtures"]),
]

/// It is linked with libFuzzer by the flags of Scripts/fuzz.
let fuzzing: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    executable(
        "LadingFuzz", at: "Fuzz/LadingFuzz",
        [
            "CLibFuzzer", "CacheProxy", "CacheTraces", "ContentCoding", "CrashReports", "Deliveries", "HTTPFieldValues", "LadingFirebase",
            "LadingHTTP", "LadingOutbox", "LadingRecording", "LadingRecords", "LadingTransfers", "MarsPhotos", "Orders", "Origin",
            "ServerSecurity", "ServerStartup", "Thumbnails", "Window", httpTypes, hummingbirdCore, nio, nioEmbedded, nioHTTP1,
        ]),
]

let package = Package(
    name: "lading",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: libraries.map { .library(name: $0.name, targets: [$0.name]) },
    traits: [
        .trait(name: "NIO", description: "LadingNIO: requests with AsyncHTTPClient."),
        .trait(name: "SQLite", description: "LadingSQLite and LadingJournals: stores and journals with GRDB."),
        .trait(name: "Configuration", description: "LadingConfiguration: environments with swift-configuration."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    ],
    targets: sharedTargets + libraries + libraryTests + domains,
    swiftLanguageModes: [.v6]
)

if isProgram {
    package.products += [.executable(name: "lading", targets: ["LadingCommand"])]
    package.traits.formUnion([
        .trait(name: "Thumbnails", description: "Makes thumbnails of pictures with libjpeg-turbo and libpng."),
        .default(enabledTraits: ["NIO", "SQLite", "Configuration", "Thumbnails"]),
    ])
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ]
    package.targets += programTargets + programTests
    if isFuzzed { package.targets += fuzzing }
} else {
    package.traits.insert(.default(enabledTraits: ["SQLite"]))
}
