/// A request to a server: draft-ietf-secsh-filexfer-02, and extensions of OpenSSH.
enum SFTPRequest: Sendable {
  case open(String, SFTPOpening)
  case close([UInt8])
  case read([UInt8], offset: UInt64, count: Int)
  case write([UInt8], offset: UInt64, ArraySlice<UInt8>)
  /// What a name stands for, without following a link.
  case look(String)
  /// What a path leads to.
  case follow(String)
  case openFolder(String)
  case readFolder([UInt8])
  case remove(String)
  case makeFolder(String)
  case removeFolder(String)
  /// Gives another name, if that is free.
  case rename(String, to: String)
  /// Gives another name, in place of what has it.
  case replace(String, to: String)
  /// Gives a second name, if that is free.
  case link(String, to: String)
  case synchronize([UInt8])
  case room(String)
  case limits

  /// The version of the protocol.
  static let version: UInt32 = 3

  /// The first packet of a client.
  static var greeting: [UInt8] {
    var packet = SFTPPacket(type: 1)
    packet.word(version)
    return packet.finished
  }

  /// The kind of its answer, if it succeeds; a status is an answer to every request.
  var answer: SFTPAnswer.Kind {
    switch self {
    case .open, .openFolder: .handle
    case .read: .data
    case .readFolder: .names
    case .look, .follow: .attributes
    case .room, .limits: .extended
    default: .status
    }
  }

  /// The packet, with its length.
  func packet(_ id: UInt32) -> [UInt8] {
    var packet = SFTPPacket(type: type)
    packet.word(id)
    switch self {
    case .open(let path, let opening):
      packet.string(path.utf8)
      packet.word(opening.rawValue)
      // The server's own mask says the modes.
      packet.word(0)
    case .close(let handle), .readFolder(let handle): packet.string(handle)
    case .read(let handle, let offset, let count):
      packet.string(handle)
      packet.long(offset)
      packet.word(UInt32(count))
    case .write(let handle, let offset, let bytes):
      packet.string(handle)
      packet.long(offset)
      packet.string(bytes)
    case .look(let path), .follow(let path), .openFolder(let path), .remove(let path),
      .removeFolder(let path):
      packet.string(path.utf8)
    case .makeFolder(let path):
      packet.string(path.utf8)
      packet.word(0)
    case .rename(let from, let to):
      packet.string(from.utf8)
      packet.string(to.utf8)
    case .replace(let from, let to): packet.extended(.replace, Array(from.utf8), Array(to.utf8))
    case .link(let from, let to): packet.extended(.link, Array(from.utf8), Array(to.utf8))
    case .synchronize(let handle): packet.extended(.synchronize, handle)
    case .room(let path): packet.extended(.room, Array(path.utf8))
    case .limits: packet.extended(.limits)
    }
    return packet.finished
  }

  private var type: UInt8 {
    switch self {
    case .open: 3
    case .close: 4
    case .read: 5
    case .write: 6
    case .look: 7
    case .openFolder: 11
    case .readFolder: 12
    case .remove: 13
    case .makeFolder: 14
    case .removeFolder: 15
    case .follow: 17
    case .rename: 18
    case .replace, .link, .synchronize, .room, .limits: 200
    }
  }
}

/// How a file is opened.
struct SFTPOpening: OptionSet, Sendable {
  let rawValue: UInt32

  static let reading = Self(rawValue: 0x1)
  /// For writing a file that must not be there yet.
  static let making = Self(rawValue: 0x2 | 0x8 | 0x20)
}

/// What a server may offer besides the protocol.
enum SFTPExtension: String, Sendable {
  case replace = "posix-rename@openssh.com"
  case link = "hardlink@openssh.com"
  case synchronize = "fsync@openssh.com"
  case room = "statvfs@openssh.com"
  case limits = "limits@openssh.com"
}

/// A packet that is being written.
private struct SFTPPacket {
  private var bytes: [UInt8] = [0, 0, 0, 0]

  init(type: UInt8) { bytes.append(type) }

  mutating func word(_ value: UInt32) {
    withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
  }

  mutating func long(_ value: UInt64) {
    withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
  }

  mutating func string(_ value: some Collection<UInt8>) {
    word(UInt32(value.count))
    bytes += value
  }

  mutating func extended(_ name: SFTPExtension, _ values: [UInt8]...) {
    string(name.rawValue.utf8)
    for value in values { string(value) }
  }

  /// The bytes, with their number before them.
  var finished: [UInt8] {
    var bytes = bytes
    withUnsafeBytes(of: UInt32(bytes.count - 4).bigEndian) { length in
      for index in 0..<4 { bytes[index] = length[index] }
    }
    return bytes
  }
}
