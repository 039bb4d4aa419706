import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption

/// What a person says of encryption.
enum EncryptionWish: String, EnumerableFlag {
  case encrypted
  case unencrypted

  static func help(for value: Self) -> ArgumentHelp? {
    switch value {
    case .encrypted:
      "Encrypt everything that leaves this device; a new vault is, but for a sqlite: file."
    case .unencrypted: "Do not encrypt: whoever can read the place can read the data."
    }
  }
}

/// The options of commands that set up a remote.
struct EncryptionOptions: ParsableArguments {
  @Flag var wish: EncryptionWish?
  @Option(
    help: ArgumentHelp(
      "The key of 'device pair' for an encrypted remote, or its recovery code.",
      valueName: "code"))
  var code: String?
  @OptionGroup var passphrase: PassphraseOption
}

extension Session {
  /// What opens an encrypted vault, as the command line says: a code, also at the end of a server's link, or a passphrase,
  /// also of the configuration; nil when it says nothing.
  ///
  /// - Throws: ``SyncError`` `usage` for a code with a slip in it, and for both at once.
  func opening(
    _ code: String?, _ passphrase: PassphraseOption, join: String? = nil
  ) throws -> VaultOpening? {
    let code = try VaultCode.read(code, join: join)
    guard let code else {
      return try PassphraseSource(.vault, passphrase, self).read().map {
        .passphrase($0)
      }
    }
    guard passphrase.passphraseFile == nil else {
      throw SyncError(.usage, "a code and a passphrase were given; one of them is enough")
    }
    return .code(code)
  }
}

/// Codes of an encrypted vault on the command line.
enum VaultCode {
  /// The code that a person gives: by itself, or at the end of a server's link.
  ///
  /// - Throws: ``SyncError`` `usage` that says what is wrong with it.
  static func read(_ code: String?, join: String?) throws -> RecoveryCode? {
    let text = try code ?? join.flatMap { text throws(SyncError) in try JoinText(text).key }
    return try text.map { text throws(SyncError) in try RecoveryCode(typed: text) }
  }

  /// What is printed once, for a sheet of paper.
  static func paper(_ code: RecoveryCode) -> String { paper(code, ", or lets a lost one go") }

  /// The same for a code that lets no device go.
  static func lesserPaper(_ code: RecoveryCode) -> String { paper(code, "") }

  private static func paper(_ code: RecoveryCode, _ rest: String) -> String {
    """
    recovery code  \(code.text)
    Write it down and keep it: nothing else opens your data when all your devices are gone\(rest).

    """
  }
}

extension Configuration.Remote {
  /// A line for people that says whether the remote is encrypted.
  var encryptionNote: String {
    isEncrypted
      ? "\(name) is encrypted"
      : "\(name) is not encrypted: whoever can read \(location.url) can read your data"
  }
}
