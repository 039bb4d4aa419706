// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// What the package is made of, read as a table: system libraries, modules, tools, tests.

// Warnings are errors in CI only, so that a newer compiler's warnings break nobody's build.
let isCI = Context.environment["CLOUDSYNC_CI"] != nil

let features: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let settings = features + (isCI ? [.treatAllWarnings(as: .error)] : [])

// Programs export no names. The options that link the standard library in would export them all, and tens of
// thousands are looked through at every start.
let hidden = LinkerSetting.unsafeFlags(
  ["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux]))

// Every use of another package names a trait. A single use without one would make each app resolve that package.
let parser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Commands"]))
let syntax = [
  "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
  "SwiftSyntaxMacros",
].map(syntaxProduct)
let web = Target.Dependency.product(
  name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Network"]))
let server = Target.Dependency.product(
  name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"]))
let templates = Target.Dependency.product(
  name: "Mustache", package: "swift-mustache", condition: .when(traits: ["Server"]))
let subprocess = Target.Dependency.product(
  name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["Server"]))
let tls = Target.Dependency.product(
  name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Server"]))

func syntaxProduct(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// A domain is one folder under Modules and one row here.
let domains: [Target] = [
  module(
    "AirportMappings", uses: ["SyncKit", "SyncKitFormats", "AirportReferenceData", "CSyncKitZlib"]),
  module("SettingsSync", uses: ["SyncKit", "SyncKitFormats", "SyncKitCharts", "YAMLDocuments"]),
  module("HealthRecords", uses: ["SyncKit", "SyncKitFormats", "SyncKitCharts", "SyncCrypto"]),
  module(
    "MediaLibrary",
    uses: ["SyncKit", "ReadableDocuments", "SyncKitFormats", "SyncKitCharts", "SyncCrypto"]),
  module("BikeService", uses: ["SyncKit", "SyncKitFormats", "SyncKitCharts", "SyncCrypto"]),
]

/// A transport is one folder under Modules and one row here.
let transports: [Target] = [
  module(
    "FileTransport",
    uses: ["SyncKit", "ReadableDocuments", "SegmentFormat", "SyncCrypto", "SyncKitText"]),
  module("SQLiteTransport", uses: ["SyncKit", "SegmentFormat", "SQLiteFile", "CSyncKitSQLite"]),
  module(
    "SyncKitHTTP", uses: ["SyncKit", "SegmentFormat", "SyncWire", "SyncCrypto", "SyncKitText"]),
  module(
    "WebDAVTransport",
    uses: ["SyncKit", "SegmentFormat", "SyncKitHTTP", "SyncKitText", "SyncKitFormats"]),
  module("SFTPTransport", uses: ["SyncKit", "SegmentFormat"]),
  module(
    "S3Transport",
    uses: [
      "SyncKit", "SegmentFormat", "SyncKitHTTP", "SyncKitFormats", "SyncKitText", "SyncCrypto",
    ]),
]

/// What carries the requests of a transport.
let carriers: [Target] = [
  module(
    "CurlNetwork",
    uses: ["SyncKit", "SyncWire", "SyncKitHTTP", "SyncKitText", "CSyncKitCurl"]),
  module(
    "HTTPNetwork", uses: ["SyncKit", "SyncWire", "SyncKitHTTP", "SyncKitText", web]),
]

/// The templates, styles and scripts of the server's pages.
let pageFiles =
  [
    "admin.css", "admin.js", "pages.css", "pages.js", "qr.js",
  ]
  + [
    "account", "audit", "entry", "head", "home", "invitation", "invited", "layout", "message",
    "overview", "removal",
  ].map { "\($0).mustache" }

/// The other end of a transport.
let servers: [Target] = [
  module("SyncWire", uses: ["SyncKit", "SyncKitText"]),
  module(
    "SyncKitServer",
    uses: [
      "SyncKit", "SegmentFormat", "SyncWire", "SyncKitText", "SQLiteFile", "CSyncKitSQLite",
      "CSyncKitPostgreSQL", "SyncCrypto",
      "PageTemplates", "SyncKitCharts", server, tls,
    ], resources: pageFiles.map { .embedInCode("Pages/Files/\($0)") }),
]

let core: [Target] = [
  module("SyncKitModel"),
  module("SyncKitStore", uses: ["SyncKitModel"]),
  module("SyncKitEngine", uses: ["SyncKitModel", "SyncKitStore"]),
  module("SyncKit", uses: ["SyncKitModel", "SyncKitStore", "SyncKitEngine"]),
  module("ReadableDocuments", uses: ["SyncKitModel", "SyncKitStore"]),
  module("SegmentFormat", uses: ["SyncKit", "CSyncKitZlib", "SyncCrypto"]),
  module("SQLiteStorage", uses: ["SyncKit", "SegmentFormat", "SQLiteFile", "CSyncKitSQLite"]),
  module("SyncKitRecords", uses: ["SyncKit"]),
  module("SyncKitMacros", uses: ["SyncKit", "SyncKitRecords", "SyncKitMacrosPlugin"]),
  module(
    "SyncKitApp",
    uses: [
      "SyncKitRecords", "SyncKit", "SegmentFormat", "SQLiteStorage", "FileTransport",
      "LocalMachine",
      "DeviceIdentity",
    ]),
  module("SyncCrypto", uses: ["CSyncKitSodium"]),
  module("SyncKitEncryption", uses: ["SyncKit", "SegmentFormat", "SyncCrypto", "SyncKitText"]),
  module("SyncKitTesting", uses: ["SyncKit", "SegmentFormat"]),
  module("SyncKitText"),
  module("SyncKitFormats", uses: ["SyncKitText", "CSyncKitZlib", "CSyncKitExpat"]),
  module("YAMLDocuments", uses: ["CSyncKitYAML"]),
  module("SyncKitCharts", uses: ["SyncKitFormats"]),
]

/// The templates, styles and scripts of `cloudsync-web`.
let webFiles =
  [
    "web.css", "web.js",
  ]
  + [
    "batches", "bike", "conflicts", "devices", "due", "emergency", "failure", "health", "history",
    "input", "layout", "message", "overview", "pair", "parts", "person", "record", "revoke",
    "service", "shared", "sharing", "summary", "table", "wear",
    "import", "preview",
    "airports", "map", "media", "media-year", "settings", "settings-file", "title", "top", "tops",
  ].map { "\($0).mustache" }

let tools: [Target] = [
  tool("cloudsync", uses: ["CloudSyncCommands"]),
  tool("cloudsync-server", uses: ["CloudSyncServerCommands", "CommandFoundation"]),
  tool("cloudsync-web", at: "web", uses: ["CloudSyncWebCommands", "CommandFoundation"]),
  tool(
    "cloudsync-bench", at: "benchmark",
    uses: [
      "SyncKit", "SyncKitRecords", "SegmentFormat", "SyncKitTesting", "SQLiteStorage",
      "CSyncKitSQLite", "SyncKitFormats",
      "RealServer", "SyncKitServer",
    ]
      + names(transports) + names(carriers),
    exclude: ["peers"], resources: [.embedInCode("naive.py")]),
  module(
    "ServerSimulation", in: "Tools",
    uses: [
      "SyncKit", "SyncKitTesting", "SegmentFormat", "SyncKitFormats", "SyncKitHTTP",
      "SyncKitServer",
      "SyncWire",
    ]),
  module(
    "EncryptionSimulation", in: "Tools",
    uses: ["SyncKit", "SegmentFormat", "SyncKitTesting", "SyncKitEncryption"]),
  tool(
    "cloudsync-sim", at: "simulator",
    uses: ["SyncKitTesting", "ServerSimulation", "EncryptionSimulation"]),
  tool(
    "cloudsync-fuzz", at: "fuzz",
    uses: [
      "SyncKit", "SegmentFormat", "SyncKitEncryption", "SyncKitTesting", "SyncKitFormats",
      "YAMLDocuments", "SyncWire", "CloudSyncCommands",
    ] + names(domains) + names(transports), exclude: ["corpus"]),
  module(
    "BucketAccess", in: "Tools",
    uses: ["CommandFoundation", "LocalMachine", "SyncKit", "SyncKitHTTP", "S3Transport"]),
  module("HistoryChecks", in: "Tools"),
  module("RealServer", in: "Tools", uses: ["SyncKit"]),
  tool(
    "cloudsync-histories", at: "histories",
    uses: [
      "HistoryChecks", "RealServer", "SyncKit", "SyncKitTesting", "SegmentFormat", "SyncWire",
      "SyncKitFormats", .target(name: "RealPlaces", condition: .when(platforms: [.linux])), parser,
      web,
    ]),
  tool(
    "cloudsync-load", at: "load",
    uses: ["RealServer", "SyncKit", "SegmentFormat", "SyncWire", "SyncKitFormats", parser, web]),
  module(
    "CommandFoundation", in: "Tools",
    uses: [
      "LocalMachine", "SyncKit", "SyncKitFormats", "YAMLDocuments", "CSyncKitYAML",
      "CSyncKitQRencode",
      "SyncKitHTTP", "SyncWire",
      parser,
    ]),
  module(
    "CloudSyncCommands", in: "Tools",
    uses: [
      "BucketAccess", "CommandFoundation", "LocalMachine", "DeviceIdentity", "SyncKit",
      "ReadableDocuments", "SegmentFormat", "SyncKitEncryption", "SyncKitText", "SQLiteStorage",
      "SyncKitFormats", "SyncKitCharts", "YAMLDocuments", "SyncWire", "CurlNetwork", parser,
    ] + names(domains) + names(transports)),
  module(
    "CloudSyncServerCommands", in: "Tools",
    uses: [
      "BucketAccess", "CommandFoundation", "LocalMachine", "SyncKit", "SyncKitServer", "SyncWire",
      "FileTransport", "S3Transport", "HTTPNetwork", "SyncKitHTTP",
      "SyncKitFormats", parser,
    ]),
  module(
    "CloudSyncWebCommands", in: "Tools",
    uses: [
      "CommandFoundation", "LocalMachine", "PageTemplates", "SyncCrypto", "SyncKit", "SyncKitText",
      "SyncKitFormats", server, subprocess, parser,
    ], resources: webFiles.map { .embedInCode("Files/\($0)") }),
]

let tests: [Target] = [
  suite(
    "SyncKit",
    uses: ["SyncKitModel", "SyncKitStore", "SyncKitEngine", "SyncKitTesting", "SegmentFormat"]),
  suite("SegmentFormat"),
  // It does not link the plugin: SwiftPM would build all that tests use for the machine of the compiler once more.
  suite("SyncKitMacros", uses: ["SyncKit", "SyncKitApp"]),
  suite("SyncKitRecords", uses: ["SyncKit", "SyncKitApp", "SyncKitTesting"]),
  suite("SyncKitApp", uses: ["SyncKit", "LocalMachine"]),
  suite("SyncCrypto"),
  suite(
    "SyncKitEncryption",
    uses: [
      "SyncKit", "SyncKitText", "SyncKitTesting", "SyncKitFormats", "FileTransport",
      "SQLiteTransport",
    ]),
  suite("SQLiteStorage", uses: ["SyncKitTesting", "SQLiteFile", "CSyncKitSQLite"]),
  suite("SQLiteTransport", uses: ["SyncKit", "SyncKitTesting", "SegmentFormat", "SQLiteFile"]),
  suite(
    "SFTPTransport", uses: ["SyncKit", "SyncKitTesting", "SegmentFormat", "RealPlaces"]),
  suite("SyncWire", uses: ["SyncKit", "SyncKitFormats"]),
  suite(
    "SyncKitHTTP",
    uses: [
      "CurlNetwork", "HTTPNetwork", "SyncKit", "SyncKitTesting", "SegmentFormat", "SyncWire",
      "SyncKitServer",
      "SyncKitFormats", "LoopbackServer", server,
    ]),
  suite(
    "SyncKitServer",
    uses: [
      "SyncKit", "SyncKitTesting", "SegmentFormat", "SyncWire", "SyncKitFormats", "SQLiteFile",
      "PageTemplates", "RealPlaces", "S3Transport", "SyncKitHTTP", "HTTPNetwork", "FaultyNetwork",
      web, server,
    ]),
  suite(
    "FileTransport",
    uses: [
      "ReadableDocuments", "SyncKitTesting", "SQLiteStorage", "SyncKitFormats", "MediaLibrary",
    ]),
  suite(
    "WebDAVTransport",
    uses: [
      "SyncKit", "SyncKitHTTP", "SyncKitTesting", "SegmentFormat", "CurlNetwork", "RealPlaces",
      "FaultyNetwork", "LoopbackServer",
    ]),
  suite(
    "S3Transport",
    uses: [
      "SyncKit", "SyncKitTesting", "SegmentFormat", "SyncKitHTTP", "SyncKitText", "SyncCrypto",
      "CurlNetwork", "RealPlaces", "FaultyNetwork",
    ]),
  suite("AirportMappings", uses: ["SyncKitTesting", "SegmentFormat", "SyncKitFormats"]),
  suite(
    "SettingsSync",
    uses: ["SyncKit", "SyncKitTesting", "SegmentFormat", "SyncKitFormats", "SyncKitCharts"]),
  suite(
    "HealthRecords",
    uses: ["SyncKit", "SyncKitTesting", "SegmentFormat", "SyncKitFormats", "SyncKitCharts"],
    exclude: ["Golden"]),
  suite(
    "MediaLibrary",
    uses: [
      "SyncKit", "ReadableDocuments", "SyncKitTesting", "SegmentFormat", "SyncKitFormats",
      "SyncKitCharts",
    ]),
  suite(
    "BikeService",
    uses: ["SyncKit", "SyncKitTesting", "SegmentFormat", "SyncKitFormats", "SyncKitCharts"]),
  suite("HistoryChecks", uses: ["SyncKitTesting"]),
  suite("ServerSimulation", uses: ["SyncKitTesting"]),
  suite("EncryptionSimulation", uses: ["SyncKitTesting"]),
  suite("SyncKitFormats"),
  suite("YAMLDocuments"),
  suite("SyncKitCharts", uses: ["SyncKitFormats"], exclude: ["Golden"]),
  suite(
    "CloudSyncCommands",
    uses: [
      "CloudSyncServerCommands", "CloudSyncWebCommands", "CommandFoundation", "LocalMachine",
      "DeviceIdentity", "SyncKit", "SyncKitFormats", "SyncKitHTTP", "LoopbackServer", parser,
    ]),
  .testTarget(
    name: "CloudSyncWebTests",
    dependencies: ["CloudSyncWebCommands", "PageTemplates", "SyncKitFormats"],
    swiftSettings: settings),
  .testTarget(
    name: "ContractTests",
    dependencies: [
      "CloudSyncCommands", "CommandFoundation", "SyncKit", "SyncKitTesting", "SegmentFormat",
      "SQLiteStorage", "FileTransport", "RealPlaces", "LocalMachine", "AirportMappings",
      "SyncKitServer",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "SyncKitFormats", "SyncKit", "SegmentFormat", "SQLiteFile", "LoopbackServer", "RealPlaces",
      "cloudsync",
      "cloudsync-server", "cloudsync-web", "cloudsync-bench",
    ],
    swiftSettings: settings),
]

/// What modules share that is no product of its own.
let internals: [Target] = [
  module("SQLiteFile", uses: ["SyncKit", "CSyncKitSQLite"]),
  module("LocalMachine", uses: ["SyncKit"]),
  module("DeviceIdentity", uses: ["SyncKit", "LocalMachine", "SQLiteStorage", "SyncKitText"]),
  module("PageTemplates", uses: ["SyncKitText", templates]),
  module("LoopbackServer", in: "Tests"),
  module("RealPlaces", in: "Tests"),
  module("FaultyNetwork", in: "Tests", uses: ["SyncKit", "SyncKitHTTP", "SyncKitTesting"]),
  .macro(
    name: "SyncKitMacrosPlugin", dependencies: syntax, path: "Modules/SyncKitMacrosPlugin",
    swiftSettings: settings),
]

let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CSyncKitSQLite", path: "Modules/CSyncKitSQLite", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(
    name: "CSyncKitExpat", path: "Modules/CSyncKitExpat", providers: [.apt(["libexpat1-dev"])]),
  .systemLibrary(
    name: "CSyncKitSodium", path: "Modules/CSyncKitSodium",
    providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
  .systemLibrary(
    name: "CSyncKitZlib", path: "Modules/CSyncKitZlib", providers: [.apt(["zlib1g-dev"])]),
  .systemLibrary(
    name: "CSyncKitYAML", path: "Modules/CSyncKitYAML",
    providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  // Types of these three, and a way to load them when they are first used.
  .target(
    name: "CSyncKitCurl", path: "Modules/CSyncKitCurl",
    linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  .target(
    name: "CSyncKitQRencode", path: "Modules/CSyncKitQRencode",
    linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  .target(
    name: "CSyncKitPostgreSQL", path: "Modules/CSyncKitPostgreSQL",
    linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  .target(
    name: "AirportReferenceData", path: "Modules/AirportReferenceData",
    exclude: ["airports.bin", "LICENSE", "README.md"]),
]

let package = Package(
  name: "cloudsync",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11), .tvOS(.v18), .visionOS(.v2)],
  products: (core + domains + transports + carriers + servers).map {
    .library(name: $0.name, targets: [$0.name])
  }
    + [
      .library(name: "CloudSyncCommands", targets: ["CloudSyncCommands"]),
      .executable(name: "cloudsync", targets: ["cloudsync"]),
      .executable(name: "cloudsync-server", targets: ["cloudsync-server"]),
      .executable(name: "cloudsync-web", targets: ["cloudsync-web"]),
      .executable(name: "cloudsync-bench", targets: ["cloudsync-bench"]),
      .executable(name: "cloudsync-sim", targets: ["cloudsync-sim"]),
      .executable(name: "cloudsync-histories", targets: ["cloudsync-histories"]),
      .executable(name: "cloudsync-fuzz", targets: ["cloudsync-fuzz"]),
      .executable(name: "cloudsync-load", targets: ["cloudsync-load"]),
    ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    // Each release of the compiler has a major version of its own.
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: systemLibraries + internals + core + domains + transports + carriers + servers + tools
    + tests,
  swiftLanguageModes: [.v6]
)

// MARK: What an app asks for

let traits: [Trait] = [
  .trait(
    name: "Commands",
    description: "A command line of one's own, from CloudSyncCommands: swift-argument-parser."),
  .trait(
    name: "Network",
    description: "Servers through AsyncHTTPClient, from HTTPNetwork: SwiftNIO and its TLS."),
  .trait(
    name: "Macros",
    description: "A schema from the properties of a struct, from SyncKitMacros: swift-syntax."),
  .trait(name: "Server", description: "A server, from SyncKitServer: Hummingbird and SwiftNIO."),
]

// An app names the traits that it needs and gets no others. A clone of this repository builds everything. SwiftPM reads
// the manifest of a dependency at the root of a tree without files to resolve it, and in a folder `checkouts` to build it.
// A clone that lies in a folder of that name builds everything with --enable-all-traits.
let folders = Context.packageDirectory.split(separator: "/")
let isDependency = folders.isEmpty || folders.dropLast().last == "checkouts"
package.traits = Set(
  traits + [.default(enabledTraits: isDependency ? [] : Set(traits.map(\.name)))])

// MARK: How a row becomes a target

func module(
  _ name: String, in folder: String = "Modules", uses: [Target.Dependency] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: uses, path: "\(folder)/\(name)", resources: resources,
    swiftSettings: settings)
}

func tool(
  _ name: String, at folder: String? = nil, uses: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: uses, path: "Tools/\(folder ?? name)", exclude: exclude,
    resources: resources, swiftSettings: settings, linkerSettings: [hidden])
}

func suite(_ module: String, uses: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: [.init(stringLiteral: module)] + uses, exclude: exclude,
    swiftSettings: settings)
}

func names(_ targets: [Target]) -> [Target.Dependency] {
  targets.map { .init(stringLiteral: $0.name) }
}
