import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption

/// The recovery code of a command that only the owner of the vault may run.
struct RecoveryOption: ParsableArguments {
  @Option(
    name: .customLong("recovery-code"),
    help: ArgumentHelp(
      "The recovery code, - to read it from standard input; asked for on a terminal if it is left out.",
      valueName: "code"))
  var code: String?

  /// The code that was given, or that a person types.
  ///
  /// - Throws: ``SyncError`` `usage` without one, and for one with a slip in it.
  func read(_ context: CommandContext, for purpose: String) throws -> RecoveryCode {
    try Self.read(code, context, for: purpose)
  }

  static func read(
    _ code: String?, _ context: CommandContext, for purpose: String,
    hint: String = "pass it with --recovery-code"
  ) throws -> RecoveryCode {
    if code == "-" {
      let line = try context.terminal.readAll().prefix { $0 != UInt8(ascii: "\n") }
      return try RecoveryCode(typed: String(decoding: line, as: UTF8.self))
    }
    if let code { return try RecoveryCode(typed: code) }
    guard context.mayAsk, !context.assumesYes else {
      throw SyncError(
        .usage, "\(purpose) takes the recovery code", hint: hint)
    }
    return try context.ask("recovery code", fallback: "") { answer throws(SyncError) in
      try RecoveryCode(typed: answer)
    }
  }
}
