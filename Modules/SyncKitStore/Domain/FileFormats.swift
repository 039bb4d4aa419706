import SyncKitModel

/// A domain that reads files which its people have from elsewhere.
public protocol ImportingDomain: SyncDomain {
  /// Reads a file; nil when the format is not the domain's own.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - format: The file's format by name or extension in lowercase, nil when unknown.
  /// - Returns: The good rows and the bad ones; nil when the format is not the domain's own.
  /// - Throws: ``SyncError`` with code `input.invalid` when the file as a whole cannot be read;
  ///   faults of single rows are reported in the result.
  func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords?

  /// Reads a folder to which an archive was unpacked.
  ///
  /// - Parameters:
  ///   - paths: The files in it, relative to it and with `/` between, in the order of their bytes.
  ///   - read: Gives the bytes of one of them.
  /// - Returns: The good rows and the bad ones; nil when the domain reads no folders.
  /// - Throws: As ``importRecords(_:format:)``.
  func importFolder(
    _ paths: [String], _ read: @escaping (String) throws -> [UInt8]
  ) throws -> ImportedRecords?

  /// Reads a file piece by piece where it may be too large for ``importRecords(_:format:)``.
  ///
  /// Asked first, for a file or for each entry of an archive.
  /// - Parameters:
  ///   - name: The file's name, or the entry's path; nil when unknown.
  ///   - format: The file's format by name or extension in lowercase, nil when unknown.
  ///   - head: The first bytes, at least 1,024 unless the file is shorter.
  /// - Returns: What reads the file; nil to have it read whole.
  /// - Throws: ``SyncError`` `input.invalid` when the first bytes show that it cannot be read.
  func streamingImport(
    name: String?, format: String?, head: [UInt8]
  ) throws -> (any StreamingImport)?
}

extension ImportingDomain {
  public func importFolder(
    _ paths: [String], _ read: @escaping (String) throws -> [UInt8]
  ) throws -> ImportedRecords? { nil }

  public func streamingImport(
    name: String?, format: String?, head: [UInt8]
  ) throws -> (any StreamingImport)? { nil }
}

/// A domain that writes records in file formats of its own.
public protocol ExportingDomain: SyncDomain {
  /// Writes records in a format, by its name in lowercase; nil when the domain has none of that name.
  func exportRecords(_ records: [Record], format: String) throws -> [UInt8]?
}

/// Reads a file that is too large to be held in memory, piece by piece.
///
/// Pieces may be cut anywhere, also within a character. The value holds no more of the file than
/// what becomes records.
public protocol StreamingImport {
  /// Takes the next bytes of the file.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the file as a whole cannot be read; then nothing
  ///   else is called.
  mutating func read(_ chunk: ArraySlice<UInt8>) throws

  /// Ends the file; call once, last.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the file ends too early.
  mutating func finish() throws -> ImportedRecords
}

/// What an import file holds.
public struct ImportedRecords: Sendable {
  /// A position in the file that cannot become a record.
  public struct Fault: Sendable {
    /// The row or line, counted from 1; nil when the format has none.
    public var row: Int?
    /// The column or key.
    public var column: String?
    /// What is wrong, as a sentence.
    public var message: String

    /// Describes a fault.
    public init(row: Int?, column: String? = nil, message: String) {
      self.row = row
      self.column = column
      self.message = message
    }
  }

  /// A record with its position in the file.
  public struct Row: Sendable {
    /// The row or line, counted from 1.
    public var row: Int?
    /// What to write.
    public var draft: RecordDraft
    /// What kind of row it is, for a person who wants to know what becomes of each: `ratings.csv`,
    /// `weight`; nil for the name of the draft's collection.
    public var kind: String?

    /// Makes a row.
    public init(row: Int?, draft: RecordDraft, kind: String? = nil) {
      self.row = row
      self.draft = draft
      self.kind = kind
    }
  }

  /// Rows of one kind that were passed over on purpose; no reason to refuse the file.
  public struct PassedOver: Hashable, Sendable {
    /// Why, or what they are, in few words: `no ICAO code`, `closed airport`, `heart rate`.
    public var kind: String
    /// How many there are.
    public var count: Int
    /// The row or line of the first, counted from 1; nil when the format has none.
    public var first: Int?

    /// Describes such rows.
    public init(kind: String, count: Int, first: Int? = nil) {
      self.kind = kind
      self.count = count
      self.first = first
    }
  }

  /// The good rows, in the order of the file.
  public var rows: [Row]
  /// The bad ones.
  public var faults: [Fault]
  /// What a person should look at, such as values that were not taken, a sentence each; no reason to
  /// refuse the file.
  public var warnings: [String]
  /// How the file was read, such as the columns that were used, a sentence each.
  public var notes: [String]
  /// The rows that were passed over on purpose, by kind.
  public var passedOver: [PassedOver]

  /// Makes a result.
  public init(
    rows: [Row], faults: [Fault] = [], warnings: [String] = [], notes: [String] = [],
    passedOver: [PassedOver] = []
  ) {
    self.rows = rows
    self.faults = faults
    self.warnings = warnings
    self.notes = notes
    self.passedOver = passedOver
  }

  /// Counts a row that is passed over.
  ///
  /// - Parameters:
  ///   - kind: Why, or what it is, in few words.
  ///   - row: Its place in the file, if it has one.
  public mutating func passOver(_ kind: String, row: Int? = nil) {
    if let place = passedOver.firstIndex(where: { $0.kind == kind }) {
      passedOver[place].count += 1
    } else {
      passedOver.append(PassedOver(kind: kind, count: 1, first: row))
    }
  }
}
