/// What puts a value behind the others of its register; see ``Sibling/marks``.
public struct ValueMarks: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A remote value overrode the write before it was published (rebase policy `remoteWins`).
  public static let overridden = Self(rawValue: 1)
  /// A deletion of the record had seen it, so the author of the deletion discarded it.
  public static let discarded = Self(rawValue: 2)

  /// All marks that there are, and how many bits they take.
  package static let known: Self = [.overridden, .discarded]
  package static let bits = 2
}

/// One of the concurrent values of a register, with where it comes from.
public struct Sibling: Hashable, Sendable {
  /// The change that wrote it.
  public var dot: Dot
  /// When it was written.
  public var stamp: Stamp
  /// What was written.
  public var value: Value
  /// What puts it behind others: these show only where no value without them stands.
  ///
  /// Marks are state: set by the change that causes them, united when states are joined, gone with the value.
  public var marks: ValueMarks

  /// Makes a sibling.
  public init(dot: Dot, stamp: Stamp, value: Value, marks: ValueMarks = []) {
    self.dot = dot
    self.stamp = stamp
    self.value = value
    self.marks = marks
  }

  /// Whether another value has overridden it.
  public var isOverridden: Bool { marks.contains(.overridden) }
  /// Whether a deletion of the record had seen it.
  public var isDiscarded: Bool { marks.contains(.discarded) }

  /// The greater stamp, then the dot: total, and the same on every device.
  package static func newer(_ left: Sibling, _ right: Sibling) -> Bool {
    left.stamp != right.stamp ? left.stamp > right.stamp : left.dot > right.dot
  }
}

/// The concurrent values of one field or group; normally one.
package struct Register: Hashable, Sendable {
  /// The field, the group, or one element of a set (see ``FieldName/element(of:_:)``).
  package let name: FieldName
  /// The values in the order of their dots; never two of one dot.
  package var siblings: [Sibling]

  /// Makes a register.
  package init(name: FieldName, siblings: [Sibling] = []) {
    self.name = name
    self.siblings = siblings.count < 2 ? siblings : siblings.sorted { $0.dot < $1.dot }
  }

  /// The values that may show: those that do not yield, or all where every one does.
  package var candidates: [Sibling] {
    guard siblings.count > 1 else { return siblings }
    let firm = siblings.filter { !$0.isOverridden }
    return firm.isEmpty ? siblings : firm
  }

  /// Whether two or more distinct values stand beside each other.
  package var isConflicted: Bool {
    guard siblings.count > 1, let first = siblings.first?.value else { return false }
    return siblings.contains { $0.value != first }
  }

  package mutating func insert(_ sibling: Sibling) {
    let index = siblings.firstIndex { sibling.dot < $0.dot } ?? siblings.count
    siblings.insert(sibling, at: index)
  }
}

extension FieldName {
  /// The register of one element of a `set` field: field name, NUL, the element's bytes in base32.
  public static func element(of field: FieldName, _ value: Value) -> FieldName {
    var text = field.text
    text.append("\u{0}")
    text.append(Base32.encode(value.canonicalBytes))
    return FieldName(text)
  }

  /// The field of a register: the part before the NUL of a set element, else the name itself.
  public var field: FieldName {
    guard let end = text.utf8.firstIndex(of: 0) else { return self }
    return FieldName(String(text[..<end]))
  }
}
