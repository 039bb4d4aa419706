import LocalMachine
import SyncKit

/// The system's keyring, which keeps secrets encrypted until a person signs in.
///
/// Elsewhere than on a Mac it is that of the Secret Service, which GNOME, KDE and KeePassXC have; `secret-tool` of
/// libsecret asks it. An entry of ours has the attribute `cloudsync` with its name.
package enum Keyring {
  /// How long a person may take to unlock it, in seconds.
  private static let patience = 120

  /// Whether a name is one that an entry can have and that every shell takes as it is.
  package static func isName(_ name: String) -> Bool {
    let special = Set("-_.@/+".utf8)
    return !name.isEmpty && name.utf8.count <= 128 && !name.hasPrefix("-")
      && name.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || special.contains($0)
      }
  }

  /// The error for a name that no entry can have.
  package static func improper(_ name: String, _ code: SyncError.Code) -> SyncError {
    SyncError(
      code, "'\(Sanitized.line(name))' cannot be the name of an entry in the keyring",
      hint: "a name has letters, digits and - _ . @ / +, and does not begin with -")
  }

  /// The secret of an entry.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it is not there or cannot be read; the message says how to store it.
  static func secret(_ name: String) throws(SyncError) -> String {
    guard isName(name) else { throw improper(name, .configInvalid) }
    let (status, output) = try run(lookup(name), name)
    if status == 0 { return String(decoding: output, as: UTF8.self) }
    throw try failure(status, name)
  }

  private static func run(
    _ command: [String], _ name: String
  ) throws(SyncError) -> (status: Int32, output: [UInt8]) {
    do throws(SystemError) {
      // What the program says is in no common language; the sentences below say it.
      return try ChildProcess.run(command, hidesErrors: true, seconds: patience)
    } catch {
      throw SyncError(
        .configInvalid, "could not read the entry '\(name)' of the keyring: \(error)",
        hint: installing)
    }
  }

  private static func missing(_ name: String) -> SyncError {
    SyncError(
      .configInvalid, "the keyring has no entry '\(name)' for cloudsync",
      hint: "store it: \(storing(name))")
  }

  private static func locked(_ name: String) -> SyncError {
    SyncError(
      .configInvalid, "the keyring is locked, so its entry '\(name)' cannot be read",
      hint:
        "unlock it, for example by signing in to the desktop; on a device without a desktop, use a file or a credential"
    )
  }

  #if canImport(Darwin)
  private static let installing = "cloudsync asks the program 'security', which every Mac has"

  private static func lookup(_ name: String) -> [String] {
    ["security", "find-generic-password", "-s", "cloudsync", "-a", name, "-w"]
  }

  private static func storing(_ name: String) -> String {
    "security add-generic-password -U -s cloudsync -a \(name) -w"
  }

  private static func failure(_ status: Int32, _ name: String) throws(SyncError) -> SyncError {
    // The last byte of errSecItemNotFound.
    status == 44 ? missing(name) : locked(name)
  }
  #else
  private static let installing = "install secret-tool, which Debian has in libsecret-tools"

  private static func lookup(_ name: String) -> [String] {
    ["secret-tool", "lookup", "cloudsync", name]
  }

  private static func storing(_ name: String) -> String {
    "secret-tool store --label 'cloudsync \(name)' cloudsync \(name)"
  }

  /// A lookup fails without a word in each case; a search shows the entries of a locked keyring, without their secrets.
  private static func failure(_ status: Int32, _ name: String) throws(SyncError) -> SyncError {
    let found = try run(["secret-tool", "search", "cloudsync", name], name)
    guard found.status == 0 else {
      return SyncError(
        .configInvalid, "no keyring answers, so its entry '\(name)' cannot be read",
        hint:
          "sign in to the desktop, or start a keyring with 'dbus-run-session' and "
          + "'gnome-keyring-daemon --unlock'; on a device without a desktop, use a file or a credential"
      )
    }
    return found.output.isEmpty ? missing(name) : locked(name)
  }
  #endif
}
