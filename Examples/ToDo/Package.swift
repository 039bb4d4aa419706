// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ToDo",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cloudsync", path: "../..", traits: []),
    .package(path: "../TerminalWindow"),
  ],
  targets: [
    .executableTarget(
      name: "ToDo",
      dependencies: [
        .product(name: "SyncKitApp", package: "cloudsync"),
        .product(name: "TerminalWindow", package: "TerminalWindow"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
