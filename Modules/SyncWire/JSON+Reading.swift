import SyncKitText
import SyncKit

/// How messages take their keys out of JSON.
extension JSON {
  func text(_ key: String) throws(WireFault) -> String {
    guard let text = self[key]?.string else { throw WireFault("'\(key)' must be a string") }
    return text
  }

  func optionalText(_ key: String) throws(WireFault) -> String? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let text = value.string else { throw WireFault("'\(key)' must be a string") }
    return text
  }

  func number(_ key: String) throws(WireFault) -> Int64 {
    guard let number = self[key]?.int else { throw WireFault("'\(key)' must be an integer") }
    return number
  }

  func natural(_ key: String) throws(WireFault) -> UInt64 {
    guard let number = UInt64(exactly: try number(key)) else {
      throw WireFault("'\(key)' must not be negative")
    }
    return number
  }

  func optionalNumber(_ key: String) throws(WireFault) -> Int64? {
    guard let value = self[key], !value.isNull else { return nil }
    return try number(key)
  }

  func flag(_ key: String) throws(WireFault) -> Bool {
    guard let flag = self[key]?.bool else { throw WireFault("'\(key)' must be true or false") }
    return flag
  }

  func elements(_ key: String) throws(WireFault) -> [JSON] {
    guard let elements = self[key]?.array else { throw WireFault("'\(key)' must be a list") }
    return elements
  }

  func messages<Message: WireMessage>(
    _ key: String, _ type: Message.Type = Message.self
  ) throws(WireFault) -> [Message] {
    var messages: [Message] = []
    for element in try elements(key) { messages.append(try Message(json: element)) }
    return messages
  }

  func message<Message: WireMessage>(
    _ key: String, _ type: Message.Type = Message.self
  ) throws(WireFault) -> Message {
    guard let value = self[key] else { throw WireFault("'\(key)' is missing") }
    return try Message(json: value)
  }

  func texts(_ key: String) throws(WireFault) -> [String] {
    var texts: [String] = []
    for element in try elements(key) {
      guard let text = element.string else { throw WireFault("'\(key)' must be a list of strings") }
      texts.append(text)
    }
    return texts
  }

  func replica(_ key: String) throws(WireFault) -> ReplicaID {
    guard let replica = ReplicaID(try text(key)) else {
      throw WireFault("'\(key)' must be 26 digits of base32")
    }
    return replica
  }

  func hash(_ key: String) throws(WireFault) -> ContentHash {
    guard let bytes = Base32.decode(try text(key)), bytes.count == 16 else {
      throw WireFault("'\(key)' must be 26 digits of base32")
    }
    return ContentHash(digest: bytes)
  }
}
