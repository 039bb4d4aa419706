import CSyncKitPostgreSQL

extension SQLValue {
  // From PostgreSQL's `catalog/pg_type.dat`.
  static let bytes: Oid = 17
  static let number: Oid = 20
  static let text: Oid = 25

  /// The type that a statement is told; 0 lets it find out by itself.
  var type: Oid {
    switch self {
    case .null: 0
    case .int: Self.number
    case .text: Self.text
    case .blob: Self.bytes
    }
  }
}

/// The values of a statement as libpq takes them, in binary format.
struct PostgreSQLValues {
  /// All values, one behind the other; never empty, as an empty value needs an address too.
  private var bytes: [UInt8] = [0]
  /// Where each begins and how long it is; nil for null.
  private var places: [(start: Int, count: Int)?] = []

  init(_ values: [SQLValue]) {
    for value in values {
      let start = bytes.count
      switch value {
      case .null:
        places.append(nil)
        continue
      case .int(let number):
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .text(let text):
        if text.utf8.contains(0) {
          // PostgreSQL has no text with U+0000, so what is looked for is not there.
          bytes.append(
            contentsOf: text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
              .reduce(into: String()) { $0.unicodeScalars.append($1) }.utf8)
        } else {
          bytes.append(contentsOf: text.utf8)
        }
      case .blob(let blob): bytes.append(contentsOf: blob)
      }
      places.append((start, bytes.count - start))
    }
  }

  func withPointers<Result>(
    large: [UInt8]?, _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var pointers = places.map { place in place.flatMap { base?.advanced(by: $0.start) } }
      var lengths = places.map { Int32(clamping: $0?.count ?? 0) }
      guard let large else {
        return body(pointers, lengths, Array(repeating: 1, count: pointers.count))
      }
      return large.withUnsafeBytes { large in
        pointers.append(large.baseAddress?.assumingMemoryBound(to: CChar.self) ?? base)
        lengths.append(Int32(clamping: large.count))
        return body(pointers, lengths, Array(repeating: 1, count: pointers.count))
      }
    }
  }
}

/// The values of one row of a result, in binary format.
struct PostgreSQLCells: SQLCells {
  let result: OpaquePointer
  let row: Int32

  func integer(_ column: Int32) -> Int64? {
    guard let bytes = bytes(column, where: { $0 == SQLValue.number || Self.short.contains($0) })
    else { return nil }
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: return nil
    }
  }

  func text(_ column: Int32) -> String? {
    guard let bytes = bytes(column, where: { $0 == SQLValue.text }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    bytes(column, where: { $0 == SQLValue.bytes })
  }

  /// int2 and int4, as the numbers of literals are.
  private static let short: [Oid] = [21, 23]

  private func bytes(_ column: Int32, where isRight: (Oid) -> Bool) -> UnsafeRawBufferPointer? {
    guard isRight(cpq_type(result, column)), !cpq_is_null(result, row, column),
      let value = cpq_value(result, row, column)
    else { return nil }
    return UnsafeRawBufferPointer(start: value, count: Int(cpq_length(result, row, column)))
  }
}
