import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKit

/// The option that says where a passphrase is.
struct PassphraseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file whose first line is the passphrase; only you may be able to read it.",
      valueName: "path"),
    completion: .file())
  var passphraseFile: String?
}

/// A passphrase: from the option, else from a key of the configuration, else from a person.
struct PassphraseSource {
  /// What a passphrase is of.
  enum Subject: String {
    case backup, vault

    /// The key of the configuration.
    var key: String { "\(rawValue).passphrase" }
  }

  /// A shorter one is guessed, whatever a guess costs.
  private static let leastLength = 8

  let subject: Subject
  let option: PassphraseOption
  let session: Session

  init(_ subject: Subject, _ option: PassphraseOption, _ session: Session) {
    (self.subject, self.option, self.session) = (subject, option, session)
  }

  /// A passphrase to encrypt with; a person types it twice.
  ///
  /// - Throws: ``SyncError`` `usage` without one, or for two that differ or one that is too short; `input.missing`,
  ///   `input.invalid` or `config.invalid` for one that cannot be read where it is.
  func new() throws(SyncError) -> String {
    let passphrase: String
    if let known = try read() {
      passphrase = known
    } else {
      guard let typed = try session.context.askSecret("Passphrase for the \(subject)") else {
        throw SyncError(
          .usage, "a \(subject) is encrypted, and there is no passphrase; nothing was written",
          hint: "name a file with --passphrase-file, or set \(subject.key) in the configuration"
            + (subject == .backup
              ? ", or use --unencrypted for a backup that anyone can read" : ""))
      }
      try check(typed)
      guard try session.context.askSecret("Once more") == typed else {
        throw SyncError(.usage, "the passphrases differ; nothing was written", hint: "try again")
      }
      passphrase = typed
    }
    try check(passphrase)
    return passphrase
  }

  /// The passphrase of something that is there.
  ///
  /// - Throws: ``SyncError`` as ``new()`` does.
  func known() throws(SyncError) -> String {
    if let known = try read() { return known }
    guard let typed = try session.context.askSecret("Passphrase of the \(subject)") else {
      throw SyncError(
        .usage, "the \(subject) is encrypted, and there is no passphrase",
        hint: "name a file with --passphrase-file, or set \(subject.key) in the configuration")
    }
    return typed
  }

  /// What the option or the configuration says; nil when neither says anything.
  func read() throws(SyncError) -> String? {
    let environment = session.context.terminal.environment
    guard let file = option.passphraseFile else {
      return try session.configuration.passphrases[subject.rawValue]?.read(environment: environment)
    }
    let path = try session.context.directoryRequest.absolute(file)
    guard FileSignature(path) != nil else {
      throw SyncError(
        .inputMissing, "the file of the passphrase, \(Sanitized.line(path)), does not exist")
    }
    guard !LocalFile.isOpenToOthers(path) else {
      throw SyncError(
        .inputInvalid, "others can read the passphrase in \(Sanitized.line(path))",
        hint: "make the file yours alone: chmod 600 '\(Sanitized.line(path))'")
    }
    do throws(SyncError) {
      return try Secret.file(path).read(environment: environment)
    } catch {
      throw SyncError(
        .inputInvalid, "there is no passphrase in the first line of \(Sanitized.line(path))",
        cause: error.message)
    }
  }

  private func check(_ passphrase: String) throws(SyncError) {
    guard passphrase.count < Self.leastLength else { return }
    throw SyncError(
      .usage,
      "the passphrase has less than \(Self.leastLength) characters, and would be guessed; "
        + "nothing was written",
      hint: "use some words that do not belong together")
  }
}
