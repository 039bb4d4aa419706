import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitFormats

/// The option `--encoding`, for texts of which nothing tells how they are encoded.
struct EncodingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The encoding of a text that is not UTF-8, UTF-16 or Windows-1252, such as windows-1251.",
      valueName: "name"),
    completion: .list(TextEncoding.commonNames))
  var encoding: String?

  /// The encoding; nil to find it out.
  ///
  /// - Throws: ``SyncError`` `usage` for one that the system does not know.
  func named() throws -> TextEncoding? {
    guard let encoding else { return nil }
    if let known = TextEncoding(named: encoding) { return known }
    throw SyncError(
      .usage, "the system knows no encoding '\(Sanitized.line(encoding))'",
      hint: "usual ones are \(TextEncoding.commonNames.joined(separator: ", "))")
  }
}
