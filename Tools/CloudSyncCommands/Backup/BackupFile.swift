import LocalMachine
import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// The file of a backup: an archive, as it is or in a file of age.
struct BackupFile {
  let archive: BackupArchive
  /// Whether it takes a passphrase to read it.
  let isEncrypted: Bool

  /// Opens a file, `-` for standard input; the passphrase is only read for an encrypted one.
  ///
  /// What is decrypted stays in memory.
  ///
  /// - Throws: ``SyncError`` `input.missing`, `input.invalid`, `crypto.wrong-passphrase`, and of the passphrase.
  init(_ file: String, _ passphrase: PassphraseSource) throws {
    let source = try passphrase.session.context.source(file)
    isEncrypted = AgeFile.isOne(try Self.read(source, AgeFile.signatureLength))
    guard isEncrypted else {
      archive = try BackupArchive(source)
      return
    }
    let text = try passphrase.known()
    let content = try AgeFile.open(try Self.read(source, source.count), passphrase: text)
    archive = try BackupArchive(MemoryBytes(content))
  }

  private static func read(_ source: any ByteSource, _ count: Int) throws -> [UInt8] {
    do {
      return try source.read(at: 0, count: min(count, source.count))
    } catch let error as SystemError {
      throw SyncError(error)
    }
  }
}
