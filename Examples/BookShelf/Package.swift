// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "BookShelf",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cloudsync", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "BookShelf",
      dependencies: [
        .product(name: "SyncKitApp", package: "cloudsync")
      ])
  ],
  swiftLanguageModes: [.v6]
)
