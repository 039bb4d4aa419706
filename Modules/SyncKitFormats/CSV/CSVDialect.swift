/// How a table is written: what parts its cells, how they are quoted, and where its first row begins.
public struct CSVDialect: Equatable, Sendable {
  /// What stands between cells.
  public var delimiter: CSVDelimiter
  /// How cells are quoted.
  public var quoting: CSVQuoting
  /// Whether the first line is Excel's `sep=;`, which names the delimiter and is no row.
  public var hasDelimiterLine: Bool

  /// Names a dialect; RFC 4180 asks for commas and doubled quotes.
  public init(
    delimiter: CSVDelimiter = .comma, quoting: CSVQuoting = .doubled, hasDelimiterLine: Bool = false
  ) {
    self.delimiter = delimiter
    self.quoting = quoting
    self.hasDelimiterLine = hasDelimiterLine
  }

  /// Finds the dialect of a table in UTF-8.
  ///
  /// The delimiter is the one that parts most of the first rows into the same number of cells. A
  /// quoting other than doubled quotes is taken only if the table cannot be read with those: spaces
  /// outside quotes; backslashes where there are any before a quote; none where tabs, carets or bars
  /// part the cells.
  ///
  /// - Parameter bytes: The whole table, in UTF-8.
  public init(of bytes: [UInt8]) {
    self.init()
    if let named = Self.namedDelimiter(bytes) {
      delimiter = named
      hasDelimiterLine = true
    } else {
      delimiter = Self.delimiter(of: bytes)
    }
    guard bytes.contains(UInt8(ascii: "\"")), !isReadable(bytes) else { return }
    var others: [CSVQuoting] = [.spaced]
    if bytes.hasBackslashBeforeQuote { others.append(.backslash) }
    if delimiter == .tab || delimiter == .caret || delimiter == .pipe { others.append(.none) }
    for other in others {
      quoting = other
      if isReadable(bytes) { return }
    }
    // Nothing reads it: the error is that of the usual dialect.
    quoting = .doubled
  }

  private func isReadable(_ bytes: [UInt8]) -> Bool {
    var reader = CSVReader(bytes, dialect: self)
    do { while try reader.next() != nil {} } catch { return false }
    return true
  }

  /// The delimiter that a line such as `sep=;` names.
  private static func namedDelimiter(_ bytes: [UInt8]) -> CSVDelimiter? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = Array(bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }.prefix(8))
    guard line.count == 5, line.starts(with: Array("sep=".utf8)) else { return nil }
    return CSVDelimiter(rawValue: line[4])
  }

  /// How far to look.
  private static let sampleSize = 1 << 16
  private static let sampleRows = 100

  private static func delimiter(of bytes: [UInt8]) -> CSVDelimiter {
    // A row that the sample cuts off counts like any other: one of a hundred.
    let sample = Array(bytes.prefix(sampleSize))
    var best = (delimiter: CSVDelimiter.comma, share: 0.0)
    // In doubt the rarer sign: a comma stands in many a cell of a table that is parted by another.
    for delimiter in [CSVDelimiter.tab, .caret, .semicolon, .pipe, .comma] {
      let share = evenness(of: sample, delimiter)
      if share > best.share { best = (delimiter, share) }
    }
    // A colon stands in times and titles too, so every row must have the same number of them.
    if best.share == 0, evenness(of: sample, .colon) == 1 { return .colon }
    return best.delimiter
  }

  /// The share of rows with the most usual number of cells, 0 if that is one.
  private static func evenness(of sample: [UInt8], _ delimiter: CSVDelimiter) -> Double {
    var counts: [Int: Int] = [:]
    var rows = 0
    for quoting in [CSVQuoting.doubled, .none] {
      var reader = CSVReader(sample, dialect: CSVDialect(delimiter: delimiter, quoting: quoting))
      (counts, rows) = ([:], 0)
      do {
        while rows < sampleRows, let row = try reader.next() {
          rows += 1
          counts[row.cells.count, default: 0] += 1
        }
        break
      } catch {
        // The sample may end within quotes; what was read before counts.
        if rows > 1 { break }
      }
    }
    guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), usual.key > 1
    else { return 0 }
    return Double(usual.value) / Double(rows)
  }
}

extension [UInt8] {
  fileprivate var hasBackslashBeforeQuote: Bool {
    zip(self, dropFirst()).contains { $0 == (UInt8(ascii: "\\"), UInt8(ascii: "\"")) }
  }
}
