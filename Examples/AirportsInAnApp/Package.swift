// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "AirportsInAnApp",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cloudsync", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "AirportsInAnApp",
      dependencies: [
        .product(name: "SyncKit", package: "cloudsync"),
        .product(name: "SegmentFormat", package: "cloudsync"),
        .product(name: "SQLiteStorage", package: "cloudsync"),
        .product(name: "FileTransport", package: "cloudsync"),
        .product(name: "AirportMappings", package: "cloudsync"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
