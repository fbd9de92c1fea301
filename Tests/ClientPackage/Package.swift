// swift-tools-version: 6.0

import PackageDescription

// A client's package: Lading by its path, and no settings. Scripts/client-package builds it from a folder that lies as deep as this one.
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
