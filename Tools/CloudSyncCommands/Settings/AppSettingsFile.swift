import LocalMachine
import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit

/// The app's file that a command works on.
struct AppFileOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format: json, yaml, toml, plist, bplist, ini, env; by default detected from the file.",
      valueName: "format"))
  var format: String?
}

/// One of an app's files and its namespace.
struct AppSettingsFile {
  /// The path as a person wrote it; `-` for standard input.
  var path: String
  var format: String?

  /// The name of its baseline: the path without links, or `-`.
  var source: String { path == "-" ? "-" : LocalFolder.resolved(path) }
  /// The name in messages.
  var shownName: String { path == "-" ? "standard input" : Sanitized.line(path) }

  /// Reads the file.
  ///
  /// - Throws: ``SyncError`` `input.missing`, `input.invalid`.
  func read(_ context: CommandContext) throws -> SettingsFile {
    try parsed(bytes(context))
  }

  func bytes(_ context: CommandContext) throws -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes =
        path == "-"
        ? try context.terminal.readAll() : try LocalFile.read(path, limit: Self.maximumSize)
    } catch {
      throw SyncError(.inputMissing, error.description)
    }
    guard bytes.count <= Self.maximumSize else {
      throw SyncError(.inputInvalid, "\(shownName) is larger than 64 MiB")
    }
    return bytes
  }

  func parsed(_ bytes: [UInt8]) throws -> SettingsFile {
    if let format, SettingsFormat(name: format) == nil {
      throw SyncError.unknownName(
        "format", format, among: SettingsFormat.allCases.map(\.rawValue))
    }
    guard !bytes.isEmpty else { throw SyncError(.inputInvalid, "\(shownName) is empty") }
    do {
      return try SettingsFile(bytes, named: formatName)
    } catch let error as SyncError {
      var error = error
      error.message = "\(shownName): \(error.message)"
      throw error
    }
  }

  /// The name of the format, or the suffix; `.env` and `.env.local` are suffixes too.
  var formatName: String? {
    if let format { return format }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    if name == ".env" || name.hasPrefix(".env.") { return "env" }
    if let suffix = ImportedFile.suffix(of: path) { return suffix }
    return name.hasPrefix(".") ? String(name.dropFirst()) : name
  }

  /// Whether there is no such file.
  var isMissing: Bool { path != "-" && FileSignature(path) == nil }

  static let maximumSize = 64 << 20
}

extension Session {
  /// The files for a command: the given one, else those that the configuration tracks.
  ///
  /// - Throws: ``SyncError`` `usage` when there is neither.
  func settingsFiles(
    _ path: String?, _ format: String?, _ namespace: NamespaceOption, in store: SyncStore,
    mayBeNew: Bool
  ) throws -> [(file: AppSettingsFile, settings: AppSettings)] {
    if let path {
      let name = try namespace.name(in: store, mayBeNew: mayBeNew)
      return [(AppSettingsFile(path: path, format: format), try settings(name, in: store))]
    }
    let rules = configuration[domain: SettingsRegistration.domain.name]?.values
    let tracked = (rules?.named("track") ?? []).map(\.values).filter {
      namespace.namespace == nil || $0.text("namespace") == namespace.namespace
    }
    guard !tracked.isEmpty else {
      throw SyncError(
        .usage, "no file is given, and the configuration tracks none",
        hint: "name a file, or see 'domains.settings.track' in 'cloudsync help config'")
    }
    return try tracked.map { item in
      let name = item.text("namespace") ?? ""
      guard SettingsNamespace.isName(name) else {
        throw SyncError(
          .configInvalid, "'\(Sanitized.line(name))' is not a valid name of a namespace")
      }
      return (
        AppSettingsFile(path: item.text("path") ?? "", format: item.text("format")),
        try settings(name, in: store)
      )
    }
  }
}
