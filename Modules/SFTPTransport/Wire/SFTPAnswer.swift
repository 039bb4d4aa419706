/// An answer of a server: draft-ietf-secsh-filexfer-02, the version 3 that OpenSSH speaks.
///
/// Reading one is a function of its bytes alone.
struct SFTPAnswer: Hashable, Sendable {
  /// What kind of answer it is, by its number in the protocol.
  enum Kind: UInt8, Sendable {
    case status = 101
    case handle = 102
    case data = 103
    case names = 104
    case attributes = 105
    case extended = 201
  }

  /// What it says.
  enum Content: Hashable, Sendable {
    case status(SFTPStatus)
    case handle([UInt8])
    case data([UInt8])
    case names([SFTPName])
    case attributes(SFTPAttributes)
    case extended([UInt8])

    /// Its kind.
    var kind: Kind {
      switch self {
      case .status: .status
      case .handle: .handle
      case .data: .data
      case .names: .names
      case .attributes: .attributes
      case .extended: .extended
      }
    }
  }

  /// The number of the request.
  let id: UInt32
  let content: Content

  /// No longer handle is taken, as the protocol says.
  static let maximumHandle = 256

  /// Reads a packet without its length.
  ///
  /// - Throws: ``SFTPBreach`` for what is no answer.
  init(_ packet: [UInt8]) throws(SFTPBreach) {
    var reader = SFTPReader(packet)
    let type = try reader.byte()
    guard let kind = Kind(rawValue: type) else {
      throw SFTPBreach("a packet of the type \(type)")
    }
    id = try reader.word()
    switch kind {
    case .status: content = .status(try SFTPStatus(&reader))
    case .handle: content = .handle(try reader.string(limit: Self.maximumHandle))
    case .data: content = .data(try reader.string())
    case .names:
      let count = Int(try reader.word())
      // A name, its long form and its attributes have at least four bytes each.
      guard count <= reader.remaining / 12 else {
        throw SFTPBreach("a count that is larger than its packet")
      }
      var names: [SFTPName] = []
      names.reserveCapacity(count)
      for _ in 0..<count { names.append(try SFTPName(&reader)) }
      content = .names(names)
    case .attributes: content = .attributes(try SFTPAttributes(&reader))
    case .extended:
      var rest: [UInt8] = []
      rest.reserveCapacity(reader.remaining)
      while reader.remaining > 0 { rest.append(try reader.byte()) }
      content = .extended(rest)
    }
  }

  /// Reads the first packet of a server, which has its version and its extensions by name.
  ///
  /// - Throws: ``SFTPBreach`` for anything else, and for a version that is not 3.
  static func greeting(_ packet: [UInt8]) throws(SFTPBreach) -> Set<String> {
    var reader = SFTPReader(packet)
    guard try reader.byte() == 2 else { throw SFTPBreach("no version at first") }
    let version = try reader.word()
    guard version == SFTPRequest.version else {
      throw SFTPBreach("version \(version) of SFTP, where 3 was asked for")
    }
    var extensions: Set<String> = []
    while reader.remaining > 0 {
      extensions.insert(String(decoding: try reader.string(), as: UTF8.self))
      _ = try reader.string()
    }
    return extensions
  }
}

/// How a request went.
struct SFTPStatus: Hashable, Sendable {
  /// The number of the protocol.
  let code: UInt32
  /// What the server says, which may be nothing and comes from a foreign place.
  let message: String

  static let done: UInt32 = 0
  static let endOfFile: UInt32 = 1
  static let noSuchFile: UInt32 = 2
  static let permissionDenied: UInt32 = 3
  static let failure: UInt32 = 4

  /// Makes a status.
  init(_ code: UInt32, _ message: String = "") {
    self.code = code
    self.message = message
  }

  init(_ reader: inout SFTPReader) throws(SFTPBreach) {
    code = try reader.word()
    // Old servers leave out the words.
    message = reader.remaining > 0 ? SSHWords.line(try reader.string()) : ""
  }
}

/// A name of a folder, as the server has it.
struct SFTPName: Hashable, Sendable {
  let bytes: [UInt8]
  let attributes: SFTPAttributes

  init(_ reader: inout SFTPReader) throws(SFTPBreach) {
    bytes = try reader.string()
    _ = try reader.string()
    attributes = try SFTPAttributes(&reader)
  }

  /// The name; nil for one that leads elsewhere than into its folder.
  ///
  /// - Throws: ``SFTPBreach`` for what is no text.
  func part() throws(SFTPBreach) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SFTPBreach("a name that is not UTF-8")
    }
    guard !bytes.isEmpty, text != ".", text != "..", !bytes.contains(UInt8(ascii: "/")),
      !bytes.contains(0)
    else { return nil }
    return text
  }
}

/// What a server says of a file.
struct SFTPAttributes: Hashable, Sendable {
  /// What a name stands for; links are not followed where the request does not.
  enum Kind: Sendable { case file, folder, link, other }

  /// The size in bytes; nil when it is not said.
  private(set) var size: UInt64?
  /// Kind and rights as in Unix; nil when they are not said.
  private(set) var permissions: UInt32?
  /// Seconds since 1970 of the last change, by the server's clock; nil when they are not said.
  private(set) var modified: UInt32?

  init(_ reader: inout SFTPReader) throws(SFTPBreach) {
    let flags = try reader.word()
    if flags & 0x1 != 0 { size = try reader.long() }
    if flags & 0x2 != 0 { _ = try reader.long() }
    if flags & 0x4 != 0 { permissions = try reader.word() }
    if flags & 0x8 != 0 {
      _ = try reader.word()
      modified = try reader.word()
    }
    guard flags & 0x8000_0000 != 0 else { return }
    for _ in 0..<(try reader.word()) {
      _ = try reader.string()
      _ = try reader.string()
    }
  }

  /// What it is; nil when the server does not say.
  var kind: Kind? {
    switch permissions.map({ $0 & 0o170000 }) {
    case 0o100000: .file
    case 0o040000: .folder
    case 0o120000: .link
    case 0, nil: nil
    default: .other
    }
  }
}
