import CSyncKitPostgreSQL
import SyncKit
import SyncWire

/// Where a database of PostgreSQL is, as libpq reads it.
///
/// What the text leaves out comes from libpq's environment (`PGHOST`, `PGPASSFILE` and so on), a service file and
/// a password file.
///
/// Source: [PostgreSQL, connection strings](https://www.postgresql.org/docs/current/libpq-connect.html).
public struct PostgreSQLAddress: Sendable, Equatable, CustomStringConvertible {
  /// A text of libpq, and what it says.
  struct Way: Sendable, Equatable {
    let text: String
    /// Whether it has a password, which others may then see.
    let hasPassword: Bool
    /// The host and the database as far as the text names them; never a password.
    let description: String
    /// The parameters that it sets.
    let parameters: Set<String>
  }

  /// The way to PostgreSQL itself, or through what gives each connection a session of its own.
  let direct: Way
  /// The way through a pooler of transactions; nil for none.
  let pooled: Way?

  /// The text that leads to PostgreSQL itself.
  var text: String { direct.text }
  /// Whether a text has a password, which others may then see.
  public var hasPassword: Bool { direct.hasPassword || pooled?.hasPassword == true }
  /// The host and the database as far as the text names them; never a password.
  public var description: String { direct.description }

  /// Whether a text is meant to be one: a URL of PostgreSQL, or `key=value` pairs.
  public static func isMeant(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return text.contains("://")
      ? ["postgres", "postgresql"].contains(scheme)
      : text.contains("=") && !text.hasPrefix("/") && !text.hasPrefix(".")
  }

  /// Reads `postgres://host/database`, `service=name` and the like.
  ///
  /// - Throws: ``SyncError`` `usage` when libpq cannot read it, `server.library` when there is no libpq.
  public init(_ text: String) throws { self.init(direct: try Way(text), pooled: nil) }

  private init(direct: Way, pooled: Way?) { (self.direct, self.pooled) = (direct, pooled) }

  /// The same database, with the transactions of a server through a pooler, such as PgBouncer in transaction mode.
  public func through(_ pooler: PostgreSQLAddress) -> PostgreSQLAddress {
    PostgreSQLAddress(direct: direct, pooled: pooler.direct)
  }
}

extension PostgreSQLAddress.Way {
  fileprivate init(_ text: String) throws {
    guard cpq_load() else {
      throw SyncError(
        .serverLibrary, "PostgreSQL's client library 'libpq.so.5' is not installed",
        hint: "apt-get install libpq5, or keep the data in a folder with --data")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = cpq_parse(text, &message) else {
      // libpq repeats what it could not read, which may be a password.
      cpq_free(message)
      throw SyncError(
        .usage, "libpq cannot read the address of the database",
        hint: "write it as postgres://host/database or service=NAME")
    }
    defer { cpq_parse_free(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        values[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    self.text = text
    hasPassword = values["password"].map { !$0.isEmpty } ?? false
    parameters = Set(values.keys)
    let named = ["service", "host", "hostaddr", "port", "dbname"].compactMap { key in
      values[key].map { "\(key)=\($0)" }
    }
    description = named.isEmpty ? "the default database" : named.joined(separator: " ")
  }
}
