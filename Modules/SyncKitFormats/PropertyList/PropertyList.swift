/// One value of a property list, with the kind that its file gives it.
///
/// The kind is kept as the file has it: the integer 1, the real 1 and true are three values, which
/// readers that go through a number type confuse.
///
/// | Kind | XML | Binary |
/// |---|---|---|
/// | ``date(milliseconds:)`` | whole seconds; parts of a second are cut off on writing | milliseconds |
/// | ``uint(_:)`` | as it is | 16 bytes |
/// | ``double(_:)`` | shortest text that gives the same number | 8 bytes |
///
/// Source: the DTD `PropertyList-1.0.dtd`, and for the binary form the description in
/// [CFBinaryPList.c](https://opensource.apple.com/source/CF/CF-550/CFBinaryPList.c).
public indirect enum PropertyList: Sendable, Hashable {
  /// A truth value.
  case bool(Bool)
  /// An integer of 64 bits with a sign.
  case int(Int64)
  /// A whole number beyond those of 64 bits with a sign.
  case uint(UInt64)
  /// A real number.
  case double(Double)
  /// A text.
  case string(String)
  /// Milliseconds since 1970.
  case date(milliseconds: Int64)
  /// Bytes.
  case data([UInt8])
  /// The number of an object in a keyed archive (UID); XML has it as a dictionary with `CF$UID`.
  case reference(UInt64)
  /// Values in their order.
  case array([PropertyList])
  /// Values by key.
  case dictionary([Member])

  /// A key of a dictionary and its value.
  public struct Member: Sendable, Hashable {
    /// The key.
    public var key: String
    /// What belongs to it.
    public var value: PropertyList

    /// Makes a member.
    public init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }

  /// The two forms of a file.
  public enum Form: Sendable {
    /// As XML.
    case xml
    /// As bytes, `bplist00`.
    case binary
  }

  /// The form that bytes have by their beginning; nil when they are no property list.
  public static func form(of bytes: [UInt8]) -> Form? {
    if bytes.starts(with: Array("bplist".utf8)) { return .binary }
    let text = bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let beginnings = ["<?xml", "<!DOCTYPE plist", "<plist"]
    return beginnings.contains { text.starts(with: $0.utf8) } ? .xml : nil
  }

  /// Reads a property list in either form.
  ///
  /// - Throws: ``PropertyListError`` with the position; trying again does not help.
  public init(parsing bytes: [UInt8]) throws(PropertyListError) {
    switch Self.form(of: bytes) {
    case .binary: self = try BinaryPropertyListReader.read(bytes)
    case .xml: self = try XMLPropertyListReader.read(bytes)
    case nil: throw PropertyListError("this is not a property list, neither in XML nor binary")
    }
  }

  /// Writes the property list in one of its forms; the same value gives the same bytes each time.
  ///
  /// - Throws: ``PropertyListError`` for a text or time that the form cannot hold.
  public func serialized(as form: Form) throws(PropertyListError) -> [UInt8] {
    switch form {
    case .xml: try XMLPropertyListWriter.write(self)
    case .binary: BinaryPropertyListWriter.write(self)
    }
  }

  /// How many arrays and dictionaries may contain one another.
  static let maximumDepth = 64

  /// Milliseconds from 1970 to 2001, where binary property lists begin to count.
  static let epoch: Int64 = 978_307_200_000
}

/// Why bytes are not the property list they should be.
public struct PropertyListError: Error, Equatable, Sendable {
  /// What is wrong and where, in words, without a full stop.
  public var message: String

  init(_ message: String) { self.message = message }
}

extension PropertyListError: CustomStringConvertible {
  public var description: String { message }
}
