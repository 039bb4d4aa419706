// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ListView",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "ListView", targets: ["ListView"])],
  dependencies: [.package(name: "cloudsync", path: "../..", traits: [])],
  targets: [
    // What the views show, without a view: it is built and tried on every system.
    .target(name: "ListModel", dependencies: [.product(name: "SyncKitApp", package: "cloudsync")]),
    .target(name: "ListView", dependencies: ["ListModel"]),
    .executableTarget(name: "try-model", dependencies: ["ListModel"]),
  ],
  swiftLanguageModes: [.v6]
)
