import ArgumentParser
import CommandFoundation
import LocalMachine
import SyncKit

/// What a kind of remote needs to be told besides its address.
struct SignInOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The user at the service.", valueName: "name"))
  var user: String?
  @Option(
    help: ArgumentHelp(
      "A file whose first line is the password; only you may be able to read it.",
      valueName: "path"),
    completion: .file())
  var passwordFile: String?
  @Option(
    help: ArgumentHelp(
      "The entry of the system's keyring that has the password.", valueName: "name"))
  var passwordKeyring: String?
  @Option(
    help: ArgumentHelp(
      "Set a configuration key of this remote; for a secret, say where it is: KEY.file=PATH, KEY.env=NAME, KEY.keyring=NAME or KEY.command=\"PROGRAM WORDS\".",
      valueName: "key=value"))
  var set: [String] = []

  var isEmpty: Bool {
    user == nil && passwordFile == nil && passwordKeyring == nil && set.isEmpty
  }

  func validate() throws {
    guard passwordFile == nil || passwordKeyring == nil else {
      throw ValidationError("--password-file and --password-keyring exclude one another")
    }
  }

  /// A location with what the options say.
  ///
  /// - Throws: ``SyncError`` `usage` for a key that such a remote does not have, or a value that it cannot have;
  ///   `input.missing` and `input.invalid` for the file of a password.
  func applied(
    to location: Configuration.Remote.Location, _ context: CommandContext
  ) throws(SyncError) -> Configuration.Remote.Location {
    var location = location
    if let user { try Self.set("user", to: user, in: &location, context) }
    if let passwordFile {
      try Self.set("password.file", to: passwordFile, in: &location, context)
    }
    if let passwordKeyring {
      try Self.set("password.keyring", to: passwordKeyring, in: &location, context)
    }
    for text in set {
      guard let equals = text.firstIndex(of: "=") else {
        throw SyncError(
          .usage, "'\(Sanitized.line(text))' is not KEY=VALUE", hint: "write --set KEY=VALUE")
      }
      try Self.set(
        String(text[..<equals]), to: String(text[text.index(after: equals)...]), in: &location,
        context)
    }
    return location
  }

  private static func set(
    _ path: String, to value: String, in location: inout Configuration.Remote.Location,
    _ context: CommandContext
  ) throws(SyncError) {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    let keys = ConfigSchema.ownKeys(ofRemote: location.type)
    guard let name = parts.first, let key = keys.first(where: { $0.name == name }) else {
      throw SyncError.unknownName(
        "key of the kind \(location.type)", parts.first ?? path, among: keys.map(\.name))
    }
    guard case .secret = key.type else {
      guard parts.count == 1 else {
        throw SyncError(.usage, "'\(name)' has no parts", hint: "write --set \(name)=VALUE")
      }
      location.values.set(name, to: .text(value))
      return
    }
    let secret: Secret
    switch parts.dropFirst().first {
    case "file": secret = .file(try file(value, context))
    case "env": secret = .environment(value)
    case "keyring":
      guard Keyring.isName(value) else { throw Keyring.improper(value, .usage) }
      secret = .keyring(value)
    case "command": secret = .command(value.split(separator: " ").map(String.init))
    default:
      throw SyncError(
        .usage, "'\(name)' is a secret, which the configuration does not hold itself",
        hint:
          "say where it is: --set \(name).file=PATH, \(name).env=NAME, \(name).keyring=NAME or \(name).command=PROGRAM"
      )
    }
    location.values.set(name, to: .secret(secret))
  }

  /// The absolute path of a file with a secret, which others cannot read.
  private static func file(_ text: String, _ context: CommandContext) throws(SyncError) -> String {
    let path = try context.directoryRequest.absolute(text)
    guard FileSignature(path) != nil else {
      throw SyncError(.inputMissing, "the file \(Sanitized.line(path)) does not exist")
    }
    guard !LocalFile.isOpenToOthers(path) else {
      throw SyncError(
        .inputInvalid, "others can read the secret in \(Sanitized.line(path))",
        hint: "make the file yours alone: chmod 600 '\(Sanitized.line(path))'")
    }
    return path
  }
}
