import CommandFoundation
import SyncKit
import SyncKitText

/// The transports of this program.
enum TransportRegistry {
  /// The transports of `cloudsync`: a row for each, in the order in which they are shown.
  static let builtIn: [any TransportRegistration.Type] = [
    FileRegistration.self,
    SQLiteRegistration.self,
    HTTPRegistration.self,
    WebDAVRegistration.self,
    RcloneRegistration.self,
    SFTPRegistration.self,
    S3Registration.self,
  ]

  /// All of the program, in the order in which they are shown.
  static var all: [any TransportRegistration.Type] { CommandProgram.current.transports }

  /// Whether a path without a scheme is a remote: the folder at it.
  static var takesPaths: Bool { registration(FileRegistration.scheme) != nil }

  /// What to write for where a remote is, such as `a folder's path, file:PATH or https://HOST`.
  static var forms: String {
    let forms = (takesPaths ? ["a folder's path"] : []) + all.map { $0.address.form }
    guard let last = forms.last, forms.count > 1 else { return forms.first ?? "" }
    return "\(forms.dropLast().joined(separator: ", ")) or \(last)"
  }

  static var advice: String { "write \(forms)" }

  /// The transport for a location.
  ///
  /// - Throws: ``SyncError`` `remote.unsupported` if this build has none.
  static func transport(
    for remote: Configuration.Remote, _ context: TransportContext
  ) throws -> any Transport {
    if let registration = registration(remote.location.type) {
      return try registration.open(RemoteSettings(remote), context)
    }
    throw SyncError(
      .remoteUnsupported, "this build cannot reach '\(remote.name)' (\(remote.location.url))",
      hint: "it supports these kinds of remote: \(all.map { $0.scheme }.joined(separator: ", "))")
  }

  static func registration(_ scheme: String) -> (any TransportRegistration.Type)? {
    all.first { $0.scheme == scheme }
  }
}

extension Configuration.Remote.Location {
  /// The location as a URL.
  var url: String { TransportRegistry.registration(type)?.address.show(values) ?? "\(type):" }

  /// The folder of this machine to which it writes.
  var folder: String? { TransportRegistry.registration(type)?.address.folder(values) }

  /// Reads a URL as it was typed.
  ///
  /// - Throws: ``SyncError`` `usage` for a scheme that no transport has, and for what it cannot read.
  init(_ url: String, _ request: Directories.Request) throws(SyncError) {
    guard let colon = url.firstIndex(of: ":") else {
      throw SyncError(
        .usage, "'\(Sanitized.line(url))' is not the URL of a remote",
        hint: TransportRegistry.advice)
    }
    let scheme = url[..<colon].lowercased()
    let kinds = TransportRegistry.all
    guard
      let kind = kinds.first(where: { $0.address.recognises(url) })
        ?? kinds.first(where: { $0.address.schemes.contains(scheme) })
    else {
      throw SyncError(
        .usage, "'\(Sanitized.line(scheme))' is not a kind of remote",
        hint: TransportRegistry.advice)
    }
    let values = try kind.address.read(url) { path throws(SyncError) in
      try request.absolute(path)
    }
    self.init(type: kind.scheme, values: values)
  }

  /// The keys that a URL and options have given, with their values as YAML.
  var settings: [(key: String, value: String)] {
    ConfigSchema.ownKeys(ofRemote: type).compactMap { key in
      switch values.said[key.name] {
      case .text(let text): (key: key.name, value: YAMLText.scalar(text))
      case .secret(let secret): secret.source.map { (key: key.name, value: $0) }
      default: nil
      }
    }
  }

  /// The options with which another device says what the address does not, such as the region of a bucket.
  ///
  /// A secret is none of them. A file of this device is `FILE`, which the person has to copy.
  var optionsBesideAddress: [String] {
    guard let address = TransportRegistry.registration(type)?.address else { return [] }
    let told = (try? address.read(url) { $0 }) ?? ConfigValues()
    return ConfigSchema.ownKeys(ofRemote: type).flatMap { key -> [String] in
      guard case .text(let text) = values.said[key.name], !told.says(key.name) else { return [] }
      if case .path = key.type { return ["--set", "\(key.name)=FILE"] }
      return ["--set", ShellWords.quoted("\(key.name)=\(text)")]
    }
  }
}

extension Configuration.Remote {
  /// The advice for a moved remote; nil for one without a path.
  var moveAdvice: String? {
    guard location.values.says("path") else { return nil }
    return "If it has moved, run '\(Program.current.name) config set remotes.\(name).path NEW'."
  }
}
