// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ShoppingList",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cloudsync", path: "../..", traits: []),
    .package(path: "../TerminalWindow"),
  ],
  targets: [
    .executableTarget(
      name: "ShoppingList",
      dependencies: [
        .product(name: "SyncKitApp", package: "cloudsync"),
        .product(name: "SyncKitHTTP", package: "cloudsync"),
        .product(name: "CurlNetwork", package: "cloudsync"),
        .product(name: "TerminalWindow", package: "TerminalWindow"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
