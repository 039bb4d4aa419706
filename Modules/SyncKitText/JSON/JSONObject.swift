/// The members of a JSON object, in the order they were added, found by the bytes of their key.
///
/// Keys are compared by their UTF-8, never by canonical equivalence as Swift compares strings: `é` as
/// one scalar and `é` as two are two keys. Lookup takes constant time however many members there are
/// and whatever the keys; removing a member takes time in proportion to their number.
public struct JSONObject: Sendable {
  /// Every member, in order.
  public private(set) var members: [(key: String, value: JSON)] = []

  /// Where each key is; kept only once there are more members than a look at each one is worth.
  private var positions: [ExactText: Int]?
  private static let scanLimit = 12

  /// Creates an object without members.
  public init() {}

  /// Creates an object of these members; when a key appears twice, the later value takes the earlier position.
  public init(_ members: some Sequence<(String, JSON)>) {
    for (key, value) in members { self[key] = value }
  }

  /// How many members there are.
  public var count: Int { members.count }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys, in order.
  public var keys: [String] { members.map(\.key) }

  /// The value of a key, nil when there is none.
  ///
  /// A new key goes last, a known one keeps its position, and nil removes the member; to store JSON's null
  /// say `.null`.
  public subscript(key: String) -> JSON? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Adds a member that is new, or returns false and leaves the object as it is.
  mutating func insert(_ key: String, _ value: JSON) -> Bool {
    guard position(of: key) == nil else { return false }
    append(key, value)
    return true
  }

  private func position(of key: String) -> Int? {
    if let positions { return positions[ExactText(key)] }
    return members.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  private mutating func append(_ key: String, _ value: JSON) {
    positions?[ExactText(key)] = members.count
    members.append((key, value))
    if positions == nil, members.count > Self.scanLimit { indexKeys() }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    positions = nil
    if members.count > Self.scanLimit { indexKeys() }
  }

  private mutating func indexKeys() {
    var positions: [ExactText: Int] = [:]
    for (position, member) in members.enumerated() { positions[ExactText(member.key)] = position }
    self.positions = positions
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
