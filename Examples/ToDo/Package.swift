// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ToDo",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cloudsync", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "ToDo",
      dependencies: [
        .product(name: "SyncKitApp", package: "cloudsync")
      ])
  ],
  swiftLanguageModes: [.v6]
)
