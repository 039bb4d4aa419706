// swift-tools-version: 6.2
import PackageDescription

// What the examples with a live list in the terminal share.
let package = Package(
  name: "TerminalWindow",
  platforms: [.macOS(.v15)],
  products: [.library(name: "TerminalWindow", targets: ["TerminalWindow"])],
  targets: [.target(name: "TerminalWindow")],
  swiftLanguageModes: [.v6]
)
