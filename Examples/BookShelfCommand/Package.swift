// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "BookShelfCommand",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cloudsync", path: "../..", traits: ["Commands"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "BookShelfPlugIns",
      dependencies: [
        .product(name: "SyncKit", package: "cloudsync"),
        .product(name: "SegmentFormat", package: "cloudsync"),
        .product(name: "SyncKitFormats", package: "cloudsync"),
        .product(name: "CloudSyncCommands", package: "cloudsync"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "bookshelf",
      dependencies: [
        "BookShelfPlugIns", .product(name: "CloudSyncCommands", package: "cloudsync"),
      ]),
    .testTarget(
      name: "BookShelfPlugInsTests",
      dependencies: [
        "BookShelfPlugIns", .product(name: "SyncKitTesting", package: "cloudsync"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
