/// Makes a property list of the elements of its XML form, as they come.
struct PropertyListBuilder {
  private enum Frame {
    case plist
    case array([PropertyList])
    case dictionary([PropertyList.Member], key: String?, seen: Set<[UInt8]>)
    /// An element with text, and the text so far.
    case text(String, String)
  }

  private var frames: [Frame] = []
  private var root: PropertyList?

  /// An element begins.
  mutating func start(_ name: String) throws(PropertyListError) {
    guard frames.count <= PropertyList.maximumDepth else {
      throw PropertyListError("nested more than \(PropertyList.maximumDepth) levels deep")
    }
    if case .text(let outer, _)? = frames.last {
      throw PropertyListError("<\(name)> is inside <\(outer)>")
    }
    guard !frames.isEmpty || name == "plist" else {
      throw PropertyListError("the outermost element is <\(name)>, not <plist>")
    }
    switch name {
    case "plist" where frames.isEmpty && root == nil: frames.append(.plist)
    case "array": frames.append(.array([]))
    case "dict": frames.append(.dictionary([], key: nil, seen: []))
    case "key":
      guard case .dictionary(_, key: nil, _)? = frames.last else {
        throw PropertyListError("there is a key where a value should be")
      }
      frames.append(.text(name, ""))
    case "string", "integer", "real", "true", "false", "date", "data":
      frames.append(.text(name, ""))
    default: throw PropertyListError("there is no element <\(name)> in property lists")
    }
  }

  /// Characters within an element.
  mutating func text(_ text: String) throws(PropertyListError) {
    if case .text(let name, var whole)? = frames.last {
      // Released first, so that a long text grows in place.
      frames[frames.count - 1] = .plist
      whole += text
      frames[frames.count - 1] = .text(name, whole)
    } else if !text.allSatisfy(\.isWhitespace) {
      throw PropertyListError("there is text between elements")
    }
  }

  /// An element ends.
  mutating func end() throws(PropertyListError) {
    guard let frame = frames.popLast() else { return }
    switch frame {
    case .plist: break
    case .array(let values): try add(.array(values))
    case .dictionary(let members, let key, _):
      if let key { throw PropertyListError("the key '\(key)' has no value") }
      try add(.dictionary(members))
    case .text("key", let text): try open(text)
    case .text(let name, let text): try add(Self.value(name, text))
    }
  }

  /// The whole, once all elements have ended.
  func finish() throws(PropertyListError) -> PropertyList {
    guard let root else { throw PropertyListError("the property list is empty") }
    return root
  }

  private mutating func open(_ key: String) throws(PropertyListError) {
    guard case .dictionary(let members, key: nil, var seen)? = frames.popLast() else { return }
    guard seen.insert(Array(key.utf8)).inserted else {
      throw PropertyListError("the key '\(key)' appears twice in one dictionary")
    }
    frames.append(.dictionary(members, key: key, seen: seen))
  }

  private mutating func add(_ value: PropertyList) throws(PropertyListError) {
    switch frames.popLast() {
    case .plist:
      guard root == nil else { throw PropertyListError("there is a second value at the top") }
      root = value
      frames.append(.plist)
    case .array(var values):
      values.append(value)
      frames.append(.array(values))
    case .dictionary(var members, let key?, let seen):
      members.append(PropertyList.Member(key, value))
      frames.append(.dictionary(members, key: nil, seen: seen))
    default: throw PropertyListError("a value has no key")
    }
  }

  static func value(
    _ name: String, _ text: String
  ) throws(PropertyListError) -> PropertyList {
    let word = text.filter { !$0.isWhitespace }
    switch name {
    case "string": return .string(text)
    case "true" where word.isEmpty: return .bool(true)
    case "false" where word.isEmpty: return .bool(false)
    case "integer": if let value = integer(word) { return value }
    case "real": if let value = real(word) { return .double(value) }
    case "date":
      if let time = Timestamp.parse(word) { return .date(milliseconds: time) }
    case "data":
      if let bytes = Base64.decode(word) { return .data(bytes) }
    default: break
    }
    throw PropertyListError("'\(word.prefix(40))' is not a valid \(name)")
  }

  private static func integer(_ text: String) -> PropertyList? {
    if let value = Int64(text) { return .int(value) }
    if let value = UInt64(text) { return .uint(value) }
    guard text.lowercased().hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) else {
      return nil
    }
    return Int64(exactly: value).map { .int($0) } ?? .uint(value)
  }

  private static func real(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan": .nan
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: text.utf8.contains(where: { "xXpP".utf8.contains($0) }) ? nil : Double(text)
    }
  }
}
