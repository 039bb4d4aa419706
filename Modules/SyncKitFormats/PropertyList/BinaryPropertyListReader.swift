/// Reads the binary form: objects, a table of their offsets, and a trailer of 32 bytes.
///
/// Objects refer to each other by number, so that a small hostile file can say of an object that it
/// contains itself, or stands for more values than there is memory. Depth is limited, and so is the
/// number of values and bytes that come out.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let table: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  /// How much may still come out.
  private var budget: Int

  static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    var reader = try BinaryPropertyListReader(bytes)
    return try reader.object(reader.number(at: bytes.count - 16, size: 8), depth: 0)
  }

  private init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.starts(with: "bplist00".utf8) else {
      throw PropertyListError("only version 00 of binary property lists is known")
    }
    guard bytes.count >= 8 + 1 + 1 + 32 else { throw PropertyListError("the file is cut off") }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
      throw PropertyListError("the trailer at byte \(trailer) is damaged")
    }
    count = Self.integer(bytes[(trailer + 8)..<(trailer + 16)]) ?? .max
    table = Self.integer(bytes[(trailer + 24)..<(trailer + 32)]) ?? .max
    let (size, isTooLarge) = count.multipliedReportingOverflow(by: offsetSize)
    guard !isTooLarge, count > 0, table >= 8, table <= trailer, size <= trailer - table else {
      throw PropertyListError("the trailer at byte \(trailer) is damaged")
    }
    budget = bytes.count * 16 + 1 << 20
  }

  private mutating func object(
    _ reference: Int, depth: Int
  ) throws(PropertyListError) -> PropertyList {
    guard depth <= PropertyList.maximumDepth else {
      throw PropertyListError("nested more than \(PropertyList.maximumDepth) levels deep")
    }
    guard reference < count else {
      throw PropertyListError("the object \(reference) does not exist")
    }
    try spend(16)
    let offset = try number(at: table + reference * offsetSize, size: offsetSize)
    guard offset >= 8, offset < table else {
      throw PropertyListError("the object \(reference) lies outside of the file")
    }
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0 where marker == 0x08: return .bool(false)
    case 0x0 where marker == 0x09: return .bool(true)
    case 0x1: return try integer(at: offset + 1, power: low)
    case 0x2: return .double(try real(at: offset + 1, power: low))
    case 0x3 where low == 3: return try date(at: offset + 1)
    case 0x8:
      let number = try slice(offset + 1, low + 1).suffix(8).reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      return .reference(number)
    case 0x4, 0x5, 0x6: return try text(at: offset, marker >> 4)
    case 0xA, 0xD: return try container(at: offset, isDictionary: marker >> 4 == 0xD, depth: depth)
    default:
      let kind = String(marker, radix: 16)
      throw PropertyListError("the object at byte \(offset) is of the kind 0x\(kind), not a value")
    }
  }

  private func integer(at offset: Int, power: Int) throws(PropertyListError) -> PropertyList {
    guard power <= 4 else { throw PropertyListError("an integer at byte \(offset) is too long") }
    let size = 1 << power
    let digits = try slice(offset, size)
    // One, two and four bytes have no sign; eight do; sixteen hold what is beyond eight.
    let low = digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if size < 8 { return .int(Int64(low)) }
    if size == 8 { return .int(Int64(bitPattern: low)) }
    let high = digits.prefix(8)
    if high.allSatisfy({ $0 == 0 }) { return Int64(exactly: low).map { .int($0) } ?? .uint(low) }
    if high.allSatisfy({ $0 == 0xFF }), low >> 63 == 1 { return .int(Int64(bitPattern: low)) }
    throw PropertyListError("the integer at byte \(offset) does not fit 64 bits")
  }

  private func real(at offset: Int, power: Int) throws(PropertyListError) -> Double {
    guard power == 2 || power == 3 else {
      throw PropertyListError("the number at byte \(offset) is neither 4 nor 8 bytes long")
    }
    let bits = try slice(offset, 1 << power).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return power == 3
      ? Double(bitPattern: bits)
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  private func date(at offset: Int) throws(PropertyListError) -> PropertyList {
    let milliseconds = (try real(at: offset, power: 3) * 1000).rounded()
    guard let sum = Int64(exactly: milliseconds)?.addingReportingOverflow(PropertyList.epoch),
      !sum.overflow
    else { throw PropertyListError("the date at byte \(offset) is not a valid date") }
    return .date(milliseconds: sum.partialValue)
  }

  /// Data, or a text in ASCII or UTF-16.
  private mutating func text(
    at offset: Int, _ kind: UInt8
  ) throws(PropertyListError) -> PropertyList {
    let (length, start) = try length(at: offset)
    let (size, isTooLong) = length.multipliedReportingOverflow(by: kind == 6 ? 2 : 1)
    guard !isTooLong else { throw PropertyListError("a string at byte \(offset) is too long") }
    let content = try slice(start, size)
    try spend(content.count)
    switch kind {
    case 4: return .data(Array(content))
    case 5:
      guard content.allSatisfy({ $0 < 0x80 }) else {
        throw PropertyListError("the string at byte \(offset) is not ASCII")
      }
      return .string(String(decoding: content, as: UTF8.self))
    default:
      let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw PropertyListError("the string at byte \(offset) is not UTF-16")
      }
      return .string(text)
    }
  }

  private mutating func container(
    at offset: Int, isDictionary: Bool, depth: Int
  ) throws(PropertyListError) -> PropertyList {
    let (length, start) = try length(at: offset)
    let (references, overflow) = length.multipliedReportingOverflow(by: isDictionary ? 2 : 1)
    let (size, isTooLarge) = references.multipliedReportingOverflow(by: referenceSize)
    guard !overflow, !isTooLarge else {
      throw PropertyListError("the list at byte \(offset) is too long")
    }
    _ = try slice(start, size)
    var values: [PropertyList] = []
    for index in (isDictionary ? length : 0)..<references {
      let reference = try number(at: start + index * referenceSize, size: referenceSize)
      values.append(try object(reference, depth: depth + 1))
    }
    guard isDictionary else { return .array(values) }
    var members: [PropertyList.Member] = []
    var seen: Set<[UInt8]> = []
    for (index, value) in values.enumerated() {
      let reference = try number(at: start + index * referenceSize, size: referenceSize)
      guard case .string(let key) = try object(reference, depth: depth + 1) else {
        throw PropertyListError("a key of the dictionary at byte \(offset) is not a string")
      }
      guard seen.insert(Array(key.utf8)).inserted else {
        throw PropertyListError("the dictionary at byte \(offset) has a key twice")
      }
      members.append(PropertyList.Member(key, value))
    }
    return .dictionary(members)
  }

  /// The length of an object and where its content begins.
  private func length(at offset: Int) throws(PropertyListError) -> (length: Int, start: Int) {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 0x0F else { return (low, offset + 1) }
    let marker = try slice(offset + 1, 1)[offset + 1]
    guard marker >> 4 == 1, marker & 0x0F <= 3 else {
      throw PropertyListError("the length at byte \(offset + 1) is damaged")
    }
    let size = 1 << Int(marker & 0x0F)
    return (try number(at: offset + 2, size: size), offset + 2 + size)
  }

  private func number(at offset: Int, size: Int) throws(PropertyListError) -> Int {
    guard let value = Self.integer(try slice(offset, size)) else {
      throw PropertyListError("the number at byte \(offset) is too large")
    }
    return value
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func slice(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else {
      throw PropertyListError("something at byte \(start) reaches beyond the end of the file")
    }
    return bytes[start..<start + count]
  }

  private mutating func spend(_ amount: Int) throws(PropertyListError) {
    budget -= amount
    guard budget > 0 else {
      throw PropertyListError("the file describes far more values than it holds")
    }
  }
}
