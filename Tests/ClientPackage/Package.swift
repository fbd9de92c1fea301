// swift-tools-version: 6.0

import PackageDescription

// The package of a client: a path dependency on Lading and default settings. Scripts/client-package builds it in a folder of the same depth.
let package = Package(
    name: "Books",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "lading", path: "../..")],
    targets: [
        .executableTarget(
            name: "Books",
            dependencies: [
                .product(name: "LadingFeeds", package: "lading"), .product(name: "LadingOperations", package: "lading"),
            ])
    ]
)
