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
let nioTrait = TargetDependencyCondition.when(traits: ["NIO"])
let configurationTrait = TargetDependencyCondition.when(traits: ["Configuration"])
let sqliteTrait = TargetDependencyCondition.when(traits: ["SQLite"])
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client", condition: nioTrait)
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration", condition: configurationTrait)
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: sqliteTrait)
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift", condition: sqliteTrait)
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log", condition: nioTrait)
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: nioTrait)
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio", condition: nioTrait)
let nioHTTPCompression: Target.Dependency = .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: nioTrait)
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio", condition: nioTrait)
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl", condition: nioTrait)
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
/// The client library of PostgreSQL; without the trait orders are stored in SQLite only.
let postgreSQL: Target.Dependency = .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"]))
/// Image codecs, for thumbnails and for the photos of the demo; without the trait the originals are shown.
let png: Target.Dependency = .target(name: "CPNG", condition: .when(traits: ["Thumbnails"]))
let turboJPEG: Target.Dependency = .target(name: "CTurboJPEG", condition: .when(traits: ["Thumbnails"]))
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A target in Sources, with the settings of the house.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A target in Sources that contains the privacy manifest of an app for Apple's platforms.
func libraryWithPrivacyManifest(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let manifest = "PrivacyInfo.xcprivacy"
    #if canImport(Darwin)
        return .target(name: name, dependencies: dependencies, resources: [.copy(manifest)], swiftSettings: strict)
    #else
        return .target(name: name, dependencies: dependencies, exclude: [manifest], swiftSettings: strict)
    #endif
}

/// A target in Program, with the settings of the house.
func program(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Program/\(name)", resources: resources, swiftSettings: strict)
}

/// An executable with the settings of the house.
func executable(_ name: String, at path: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// Code that tests share, in Tests.
func testSupport(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

/// Tests of more than one target.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

extension [Target] {
    /// The tests of one of these targets, which may use what it uses, and further dependencies.
    func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        guard let target = first(where: { $0.name == name }) else { fatalError("There is no target \(name).") }
        return .testTarget(
            name: name + "Tests", dependencies: target.dependencies + [.target(name: name)] + dependencies, swiftSettings: strict)
    }
}

/// A program that tests kill, or whose allocations they let fail.
func killedProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    executable(name, at: "Tests/\(name)", ["CAllocationFaults"] + dependencies)
}

/// The targets that libraries share; no product contains them alone.
let sharedTargets: [Target] = [
    library("Channels"),
    library("Decisions"),
    library("Digests"),
    library("DiskSpace"),
    library("ErrorDescriptions"),
    libraryWithPrivacyManifest("FileAccess", ["FileLocks"]),
    library("FileChecksums", ["FileAccess", "FilePermissions"]),
    library("FileLocks"),
    library("FilePermissions"),
    library("HTTPFieldValues", ["TextComparison", httpTypes]),
    library("JSONWriting"),
    library("Observers"),
    library("ScriptedServers"),
    library("SQLiteFiles", ["DiskSpace", "ErrorDescriptions", "FileAccess", "FileChecksums", "FilePermissions", grdb]),
    library("TemporaryFolders"),
    library("TextComparison"),
    library("Timing"),
    library("UpdateMerging"),
]

let libraries: [Target] = [
    library("LadingOperations", ["Decisions", "ErrorDescriptions", "JSONWriting", "Observers", "TextComparison", "Timing"]),
    library("LadingCaching", ["TextComparison"]),
    libraryWithPrivacyManifest(
        "LadingHTTP",
        [
            "Decisions", "ErrorDescriptions", "HTTPFieldValues", "LadingCaching", "LadingOperations", "Observers", "TextComparison",
            "Timing", httpTypes, structuredFields,
        ]),
    library(
        "LadingTransfers",
        [
            "Decisions", "Digests", "ErrorDescriptions", "FileAccess", "FileLocks", "HTTPFieldValues", "LadingHTTP", "LadingOperations",
            "Observers", "Timing", httpTypes,
        ]),
    library(
        "LadingOutbox",
        ["Decisions", "Digests", "HTTPFieldValues", "LadingHTTP", "LadingOperations", "Observers", "TextComparison", "Timing", httpTypes]),
    library("LadingRecording", ["Digests", "ErrorDescriptions", "FilePermissions", "LadingHTTP", "Timing", httpTypes]),
    library(
        "LadingFirebase",
        [
            "Channels", "Decisions", "ErrorDescriptions", "FileAccess", "LadingHTTP", "LadingOperations", "LadingTransfers", "Observers",
            "Timing", httpTypes,
        ]),
    library("LadingRecords", ["Decisions", "TextComparison", "UpdateMerging"]),
    library("LadingFeeds", ["Decisions", "LadingCaching", "LadingOperations", "LadingRecords", "Timing", "UpdateMerging"]),
    library(
        "LadingNIO",
        [
            "Channels", "ErrorDescriptions", "LadingHTTP", asyncHTTPClient, httpTypes, logging, nio, nioHTTP1, nioHTTPCompression, nioPosix,
            nioSSL,
        ]),
    library(
        "LadingSQLite",
        [
            "Digests", "FileAccess", "FileChecksums", "FilePermissions", "LadingCaching", "LadingRecords", "SQLiteFiles", "TextComparison",
            grdb, grdbSQLite,
        ]),
    library("LadingJournals", ["FileLocks", "LadingOutbox", "LadingTransfers", "SQLiteFiles", grdb, httpTypes]),
    library("LadingConfiguration", ["ErrorDescriptions", "LadingHTTP", configuration, httpTypes]),
    library(
        "LadingTesting",
        [
            "LadingFeeds", "LadingHTTP", "LadingOutbox", "LadingRecords", "LadingTransfers", "ScriptedServers", "TextComparison", httpTypes,
        ]),
    library(
        "LadingConformance",
        ["LadingCaching", "LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecords", "LadingTesting", "ScriptedServers", httpTypes]),
    library("LadingFirebaseTesting", ["LadingFirebase", "LadingHTTP", "ScriptedServers", httpTypes]),
    library("Lading", ["LadingCaching", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingRecords"]),
]

/// The tests that need no trait.
let libraryTests: [Target] = [
    sharedTargets.tests(of: "Channels", ["LadingTesting"]),
    sharedTargets.tests(of: "Digests"),
    sharedTargets.tests(of: "DiskSpace"),
    sharedTargets.tests(of: "ErrorDescriptions"),
    sharedTargets.tests(of: "FilePermissions"),
    sharedTargets.tests(of: "HTTPFieldValues"),
    sharedTargets.tests(of: "JSONWriting"),
    sharedTargets.tests(of: "Observers"),
    libraries.tests(of: "LadingOperations", ["LadingTesting"]),
    libraries.tests(of: "LadingCaching", ["LadingConformance", "LadingTesting"]),
    libraries.tests(of: "LadingHTTP", ["LadingConformance", "LadingTesting", "ScriptedServers", "TemporaryFolders"]),
    libraries.tests(of: "LadingTransfers", ["LadingCaching", "LadingTesting", "ScriptedServers"]),
    libraries.tests(of: "LadingOutbox", ["LadingConformance", "LadingTesting"]),
    libraries.tests(
        of: "LadingRecording", ["LadingConformance", "LadingOperations", "LadingTesting", "ScriptedServers", "TemporaryFolders"]),
    libraries.tests(
        of: "LadingFirebase",
        ["LadingCaching", "LadingFirebaseTesting", "LadingRecording", "LadingTesting", "ScriptedServers", "TemporaryFolders"]),
    libraries.tests(of: "LadingRecords", ["LadingConformance", "LadingTesting"]),
    libraries.tests(of: "LadingFeeds", ["LadingHTTP", "LadingTesting"]),
    libraries.tests(of: "Lading", ["LadingTesting", "ScriptedServers", httpTypes]),
]

/// The wire formats, requests and feeds of the program. They need no other package, so the thread sanitizer and the mutations test them without it.
let domains: [Target] = [
    program("Orders", ["LadingCaching", "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingRecords", httpTypes]),
    program("Deliveries", ["LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecords", "Observers", "TextComparison", httpTypes]),
    program("MarsPhotos", ["LadingFeeds", "LadingHTTP", "LadingOperations", "TextComparison", httpTypes]),
    program("OrderLifecycle"),
    program("HistoryChecking", ["OrderLifecycle"]),
]

let domainTests: [Target] = [
    domains.tests(of: "Orders", ["LadingTesting"]),
    domains.tests(of: "Deliveries", ["LadingTesting"]),
    domains.tests(of: "MarsPhotos", ["LadingTesting"]),
    domains.tests(of: "OrderLifecycle", ["LadingTesting"]),
    domains.tests(of: "HistoryChecking"),
]

/// The templates, scripts, styles and icons of the window: one folder per feature, beside its Swift files. They are built into one folder without
/// subfolders, so two files of the same name are an error of the build.
let pageResources: [Resource] = [
    "Account", "Couriers", "Deliveries", "Dispatch", "Lists", "Localization", "Maps", "Offline", "Operations", "Orders", "Photos", "Shell",
    "Streaming",
].map { .process("\($0)/Resources") }

/// The servers, the page and the command line.
let programTargets: [Target] = [
    .systemLibrary(name: "CZlib", path: "Program/CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CTurboJPEG", path: "Program/CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(name: "CPNG", path: "Program/CPNG", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
        name: "CPostgreSQL", path: "Program/CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    program("PostgreSQLClient", [postgreSQL]),
    program("CrashReports", ["FilePermissions", "HTTPFieldValues", "LadingHTTP", "LadingOperations", httpTypes]),
    program("CacheTraces", ["CZlib", "ErrorDescriptions", "LadingCaching"]),
    program("ContentCoding", ["CZlib", "HTTPFieldValues", httpTypes, hummingbird, nio]),
    program("Thumbnails", [png, turboJPEG]),
    program("DemoCity"),
    program("SeededNumbers"),
    program("OrderStorage", ["Digests", "JSONWriting", "OrderLifecycle"]),
    program("OrderFiles", ["Digests", "ErrorDescriptions", "JSONWriting", "OrderLifecycle", "OrderStorage"]),
    program("OrderSimulation", ["Digests", "HistoryChecking", "OrderLifecycle", "SeededNumbers"]),
    program("Geocoding", ["LadingCaching", "LadingHTTP", "LadingOperations", "OrderFiles", "OrderStorage", httpTypes]),
    program(
        "ObjectStorage", ["Digests", "ErrorDescriptions", "HTTPFieldValues", "LadingHTTP", "LadingOperations", crypto, httpTypes]),
    program("CitySimulation", ["Digests", "HTTPFieldValues", "LadingHTTP", "OrderLifecycle", "OrderStorage", "SeededNumbers", httpTypes]),
    program("OrderStoragePostgreSQL", ["Digests", "LadingCaching", "OrderLifecycle", "OrderStorage", "PostgreSQLClient"]),
    program("OrderStorageSQLite", ["Digests", "LadingCaching", "OrderLifecycle", "OrderStorage", "SQLiteFiles", grdb]),
    program(
        "OrderAPI",
        [
            "Digests", "HTTPFieldValues", "JSONWriting", "Observers", "OrderFiles", "OrderLifecycle", "OrderStorage", "ServerSecurity",
            "ServerStartup", httpTypes, hummingbird, lifecycle, logging, nio,
        ], resources: [.copy("Description/openapi.json")]),
    program(
        "Webhooks",
        [
            "FileAccess", "FilePermissions", "JSONWriting", "LadingHTTP", "LadingOperations", "LadingOutbox", "OrderAPI", "OrderLifecycle",
            "OrderStorage", crypto, httpTypes, lifecycle, logging,
        ]),
    program(
        "ServerStartup",
        [
            "DiskSpace", "ErrorDescriptions", "FileLocks", "FilePermissions", httpTypes, hummingbirdCore, hummingbirdTLS, nio, nioHTTPTypes,
            nioSSL,
        ]),
    program("ServerSecurity", ["ServerStartup", httpTypes, nio, nioHTTP1]),
    program(
        "CacheProxy",
        [
            "HTTPFieldValues", "LadingHTTP", "ServerSecurity", "ServerStartup", "Timing", httpTypes, hummingbirdCore, lifecycle, logging,
            nio, nioHTTPTypes, nioPosix,
        ]),
    program(
        "Origin",
        [
            "CZlib", "ContentCoding", "DemoCity", "DiskSpace", "FileChecksums", "FilePermissions", "HTTPFieldValues", "JSONWriting",
            "OrderAPI", "OrderFiles", "OrderLifecycle", "OrderStorage", "OrderStoragePostgreSQL", "OrderStorageSQLite",
            "PostgreSQLClient", "SQLiteFiles", "SeededNumbers", "ServerSecurity", "ServerStartup", grdb, httpTypes, hummingbird, lifecycle,
            logging, nio, nioHTTP1, nioHTTPTypes, nioPosix, turboJPEG,
        ], resources: [.copy("Demo/Groceries")]),
    program(
        "Window",
        [
            "ContentCoding", "Deliveries", "DemoCity", "Digests", "DiskSpace", "HTTPFieldValues", "JSONWriting", "LadingCaching",
            "LadingFeeds", "LadingHTTP", "LadingOperations", "LadingOutbox", "LadingRecording", "LadingRecords", "LadingTransfers",
            "MarsPhotos", "Observers", "OrderLifecycle", "Orders", "ServerSecurity", "ServerStartup", "Thumbnails", "Timing", crypto,
            httpTypes, hummingbird, hummingbirdCore, lifecycle, logging, mustache, nio,
        ], resources: pageResources),
    // Its module differs from `Lading` in more than case, for file systems that ignore it; the product is `lading`.
    executable(
        "LadingCommand", at: "Program/lading",
        [
            "CacheProxy", "CacheTraces", "CitySimulation", "CrashReports", "Deliveries", "Digests", "DiskSpace", "ErrorDescriptions",
            "FileAccess", "FilePermissions", "Geocoding", "HTTPFieldValues", "HistoryChecking", "JSONWriting", "LadingCaching",
            "LadingFeeds", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox", "LadingRecording",
            "LadingRecords", "LadingSQLite", "LadingTransfers", "MarsPhotos", "ObjectStorage", "OrderAPI", "OrderFiles", "OrderLifecycle",
            "OrderSimulation", "OrderStorage",
            "Orders", "Origin", "SQLiteFiles", "ServerSecurity", "ServerStartup", "Timing", "Webhooks", "Window", argumentParser,
            httpTypes, lifecycle, logging, unixSignals,
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
    testSupport("OrderStorageConformance", ["Digests", "OrderLifecycle", "OrderStorage"]),
    testSupport("StoreFixtures", ["LadingTesting", "TemporaryFolders"]),
    testSupport("TestCertificates", [crypto]),
    .target(name: "CAllocationFaults", path: "Tests/CAllocationFaults"),
    killedProgram("BlobProgram", ["LadingCaching", "LadingConformance", "LadingSQLite"]),
    killedProgram("OutboxProgram", ["LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox"]),
    killedProgram("RecordProgram", ["LadingConformance", "LadingSQLite"]),
    killedProgram("TransferProgram", ["LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingTransfers"]),
    // The tests do not depend on the program, which would replace these calls of the system in all of them; it is built with them all the same.
    .target(name: "COpeningCalls", path: "Tests/COpeningCalls"),
    .target(name: "CFileFaults", dependencies: ["COpeningCalls"], path: "Tests/CFileFaults"),
    executable(
        "FaultProgram", at: "Tests/FaultProgram",
        [
            "CFileFaults", "Digests", "HTTPFieldValues", "LadingCaching", "LadingConformance", "LadingHTTP", "LadingJournals",
            "LadingOperations", "LadingOutbox", "LadingRecording", "LadingRecords", "LadingSQLite", "LadingTesting", "LadingTransfers",
            "OrderLifecycle", "OrderStorage", "OrderStorageSQLite", "Origin", "SQLiteFiles", grdb, httpTypes, nio,
        ]),
    // Tests load it into the program with LD_PRELOAD.
    .target(name: "CUnsyncedWrites", dependencies: ["COpeningCalls"], path: "Tests/CUnsyncedWrites"),
    libraries.tests(of: "LadingConfiguration"),
    libraries.tests(
        of: "LadingNIO", ["LadingConformance", "LadingFirebase", "LadingFirebaseTesting", "ScriptedServers", "TestCertificates"]),
    libraries.tests(
        of: "LadingSQLite",
        [
            "BlobProgram", "LadingConformance", "LadingFeeds", "LadingJournals", "LadingOperations", "LadingOutbox", "LadingTesting",
            "LadingTransfers", "RecordProgram", "StoreFixtures",
        ]),
    libraries.tests(
        of: "LadingJournals",
        [
            "LadingConformance", "LadingHTTP", "LadingNIO", "LadingOperations", "LadingTesting", "OutboxProgram", "ScriptedServers",
            "StoreFixtures", "TransferProgram",
        ]),
    // It compiles the files in Pages itself, as a package without these settings would; the modules that they import must be built by then.
    tests("Guide", libraries.map { .target(name: $0.name) } + ["Deliveries", "MarsPhotos"], exclude: ["Pages"]),
    programTargets.tests(of: "CacheTraces"),
    programTargets.tests(of: "OrderStorage"),
    programTargets.tests(of: "OrderFiles", ["SeededNumbers"]),
    programTargets.tests(of: "Geocoding", ["LadingTesting"]),
    programTargets.tests(of: "OrderSimulation", ["LadingTesting", "OrderStorage", "OrderStorageConformance", "OrderStorageSQLite", grdb]),
    programTargets.tests(of: "OrderStorageSQLite", ["OrderStorageConformance"]),
    programTargets.tests(
        of: "OrderAPI",
        ["LadingTesting", "OrderStorageConformance", "OrderStorageSQLite", grdb, hummingbirdTesting, nioEmbedded, nioPosix]),
    programTargets.tests(of: "Webhooks", ["LadingNIO", "LadingTesting", "OrderStorageSQLite", "TemporaryFolders", grdb]),
    programTargets.tests(of: "ContentCoding", ["CacheTraces", hummingbirdTesting]),
    programTargets.tests(of: "Thumbnails", ["LadingTesting"]),
    programTargets.tests(of: "CacheProxy", ["LadingCaching", "LadingNIO", "LadingTesting", "ScriptedServers"]),
    programTargets.tests(of: "CrashReports", ["LadingTesting", "TemporaryFolders"]),
    testSupport("ObjectStoreFixtures", ["LadingHTTP", "LadingTesting", "ObjectStorage"]),
    programTargets.tests(of: "ObjectStorage", ["LadingNIO", "LadingTesting", "ObjectStoreFixtures", "ScriptedServers"]),
    testSupport("PostgreSQLFixtures", ["LadingTesting", "PostgreSQLClient", "TemporaryFolders"]),
    programTargets.tests(of: "OrderStoragePostgreSQL", ["OrderStorageConformance", "PostgreSQLFixtures"]),
    programTargets.tests(of: "PostgreSQLClient", ["LadingTesting", "PostgreSQLFixtures", "ScriptedServers"]),
    programTargets.tests(of: "ServerStartup", ["TemporaryFolders", nioEmbedded]),
    programTargets.tests(of: "ServerSecurity", [nioEmbedded]),
    programTargets.tests(
        of: "Origin",
        [
            "CacheTraces", "Digests", "LadingTesting", "PostgreSQLFixtures", "StoreFixtures", "TemporaryFolders", hummingbirdTesting,
            nioEmbedded,
        ]),
    // The texts of rules are compared with those of the API and the command line.
    programTargets.tests(
        of: "Window", ["CacheTraces", "LadingTesting", "OrderAPI", "OrderFiles", "OrderStorage", hummingbirdTesting]),
    tests(
        "Journey",
        [
            "Deliveries", "Digests", "LadingCommand", "LadingHTTP", "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox",
            "LadingRecords", "LadingSQLite", "LadingTesting", "LadingTransfers", "MarsPhotos", "ObjectStoreFixtures", "OrderLifecycle",
            "PostgreSQLClient", "PostgreSQLFixtures", "ScriptedServers", "StoreFixtures", "TemporaryFolders", "TestCertificates", httpTypes,
            hummingbird, hummingbirdTesting, logging, nio, nioPosix, nioSSL,
        ], exclude: ["Fixtures"]),
]

/// It is linked with libFuzzer by the flags of Scripts/fuzz.
let fuzzing: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    executable(
        "LadingFuzz", at: "Fuzz/LadingFuzz",
        [
            "CLibFuzzer", "CacheProxy", "CacheTraces", "ContentCoding", "CrashReports", "Deliveries", "Geocoding", "HTTPFieldValues",
            "JSONWriting", "LadingFirebase", "LadingFirebaseTesting", "LadingHTTP", "LadingOutbox", "LadingRecording", "LadingRecords",
            "LadingTransfers", "MarsPhotos", "ObjectStorage", "OrderAPI", "OrderFiles", "OrderLifecycle", "OrderStorage",
            "OrderStorageSQLite", "Orders", "Origin", "ScriptedServers", "ServerSecurity", "ServerStartup", "Thumbnails", "Window", grdb,
            httpTypes, hummingbirdCore, nio, nioEmbedded, nioHTTP1,
        ]),
]

let package = Package(
    name: "lading",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
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
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    ],
    targets: sharedTargets + libraries + libraryTests + domains + domainTests,
    swiftLanguageModes: [.v6]
)

if isProgram {
    package.products += [
        .executable(name: "lading", targets: ["LadingCommand"]),
        .library(name: "UnsyncedWrites", type: .dynamic, targets: ["CUnsyncedWrites"]),
    ]
    package.traits.formUnion([
        .trait(name: "Thumbnails", description: "Makes thumbnails of pictures with libjpeg-turbo and libpng."),
        .trait(name: "PostgreSQL", description: "Stores orders in PostgreSQL with libpq."),
        .default(enabledTraits: ["NIO", "SQLite", "Configuration", "Thumbnails", "PostgreSQL"]),
    ])
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ]
    package.targets += programTargets + programTests
    if isFuzzed { package.targets += fuzzing }
} else {
    package.traits.insert(.default(enabledTraits: ["SQLite"]))
}
