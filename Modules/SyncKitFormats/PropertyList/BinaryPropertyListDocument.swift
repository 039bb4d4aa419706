/// A binary property list whose keys are changed one by one.
///
/// The objects of all other keys stay as they are, byte by byte: dates with parts of a millisecond,
/// numbers of any width, references of keyed archives. Only their numbers and offsets are new.
public struct BinaryPropertyListDocument: EditableDocument {
  public private(set) var bytes: [UInt8]
  private var list: [PropertyList.Member]

  /// Reads a property list whose root is a dictionary.
  ///
  /// - Throws: ``PropertyListError``.
  public init(_ bytes: [UInt8]) throws {
    guard case .dictionary(let members) = try BinaryPropertyListReader.read(bytes) else {
      throw PropertyListError("the file must contain a dictionary")
    }
    self.bytes = bytes
    list = members
  }

  public var members: [DocumentValue.Member] {
    list.map { .init($0.key, DocumentValue($0.value)) }
  }

  public mutating func set(
    _ changes: [(key: String, value: DocumentValue?)]
  ) -> [(key: String, reason: String)] {
    var table = BinaryObjectTable(bytes)
    guard case .container(0xD, let references) = table.objects[table.root] else {
      return changes.map { ($0.key, "the root of the file is not a dictionary") }
    }
    var refused: [(key: String, reason: String)] = []
    var entries = zip(list, zip(references, references.dropFirst(list.count))).map { member, pair in
      (key: member.key, value: member.value, pair: (key: pair.0, value: pair.1))
    }
    for change in changes {
      let index = entries.firstIndex { ExactText($0.key) == ExactText(change.key) }
      guard let wanted = change.value else {
        if let index { entries.remove(at: index) }
        continue
      }
      do throws(DocumentRefusal) {
        let value = try PropertyList(wanted)
        if let index {
          let old = entries[index]
          entries[index].pair.value = table.add(value, over: old.value, at: old.pair.value)
          entries[index].value = value
        } else {
          let pair = (key: table.add(.string(change.key)), value: table.add(value))
          entries.append((key: change.key, value: value, pair: pair))
        }
      } catch {
        refused.append((change.key, error.description))
      }
    }
    table.objects[table.root] = .container(0xD, entries.map(\.pair.key) + entries.map(\.pair.value))
    bytes = table.file
    list = entries.map { PropertyList.Member($0.key, $0.value) }
    return refused
  }
}

/// The objects of a binary property list, as bytes and numbers of other objects.
private struct BinaryObjectTable {
  enum Object {
    case scalar([UInt8])
    /// An array (10), a set (12) or a dictionary (13: keys, then values).
    case container(UInt8, [Int])
  }

  var objects: [Object] = []
  private(set) var root = 0

  /// Takes the objects of a file that has been read before, so that its numbers are right.
  init(_ bytes: [UInt8]) {
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    func number(_ offset: Int, _ size: Int) -> Int {
      guard offset >= 0, offset + size <= bytes.count else { return 0 }
      let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Int(clamping: value)
    }
    let count = number(trailer + 8, 8)
    root = number(trailer + 16, 8)
    let table = number(trailer + 24, 8)
    for index in 0..<count {
      let start = number(table + index * offsetSize, offsetSize)
      guard start < table else {
        objects.append(.scalar([0]))
        continue
      }
      let kind = bytes[start] >> 4
      var length = Int(bytes[start] & 0x0F)
      var content = start + 1
      if length == 0x0F, [4, 5, 6, 0xA, 0xC, 0xD].contains(kind) {
        let size = 1 << Int(bytes[content] & 0x0F)
        length = number(content + 1, size)
        content += 1 + size
      }
      switch kind {
      case 0xA, 0xC, 0xD:
        let references = min(length, table) * (kind == 0xD ? 2 : 1)
        objects.append(
          .container(
            kind, (0..<references).map { number(content + $0 * referenceSize, referenceSize) }))
      default:
        let size =
          switch kind {
          case 0: 0
          case 1, 2, 3: 1 << length
          case 6: length * 2
          case 8: length + 1
          default: length
          }
        objects.append(.scalar(Array(bytes[start..<min(content + size, table)])))
      }
    }
  }

  /// Adds a value; what is the same in the old one at its place is that object again.
  mutating func add(_ value: PropertyList, over old: PropertyList, at number: Int) -> Int {
    guard value != old else { return number }
    guard case .dictionary(let members) = value, case .dictionary(let former) = old,
      case .container(0xD, let references) = objects[number]
    else { return add(value) }
    var keys: [Int] = []
    var values: [Int] = []
    for member in members {
      if let index = former.firstIndex(where: { ExactText($0.key) == ExactText(member.key) }) {
        keys.append(references[index])
        values.append(
          add(member.value, over: former[index].value, at: references[former.count + index]))
      } else {
        keys.append(add(.string(member.key)))
        values.append(add(member.value))
      }
    }
    return append(.container(0xD, keys + values))
  }

  mutating func add(_ value: PropertyList) -> Int {
    switch value {
    case .array(let values):
      let references = values.map { add($0) }
      return append(.container(0xA, references))
    case .dictionary(let members):
      let keys = members.map { add(.string($0.key)) }
      let values = members.map { add($0.value) }
      return append(.container(0xD, keys + values))
    default: return append(.scalar(BinaryPropertyListWriter.object(value)))
    }
  }

  private mutating func append(_ object: Object) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  /// The file with what the root needs, in the order of the old numbers.
  var file: [UInt8] {
    var isUsed = [Bool](repeating: false, count: objects.count)
    var pending = [root]
    while let number = pending.popLast() {
      guard number < objects.count, !isUsed[number] else { continue }
      isUsed[number] = true
      if case .container(_, let references) = objects[number] { pending += references }
    }
    var numbers = [Int](repeating: 0, count: objects.count)
    var count = 0
    for index in objects.indices where isUsed[index] {
      numbers[index] = count
      count += 1
    }
    let referenceSize = BinaryPropertyListWriter.size(UInt64(count))
    let contents = objects.indices.filter { isUsed[$0] }.map { index -> [UInt8] in
      switch objects[index] {
      case .scalar(let bytes): return bytes
      case .container(let kind, let references):
        let length = kind == 0xD ? references.count / 2 : references.count
        return BinaryPropertyListWriter.marker(kind << 4, length)
          + references.flatMap {
            BinaryPropertyListWriter.digits(UInt64(numbers[$0]), size: referenceSize)
          }
      }
    }
    return BinaryPropertyListWriter.file(
      contents, referenceSize: referenceSize, root: numbers[root])
  }
}

extension PropertyList {
  /// The property list of a value.
  fileprivate init(_ value: DocumentValue) throws(DocumentRefusal) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .number(let number):
      if let value = Int64(number.text), number.isWhole {
        self = .int(value)
      } else if let value = UInt64(number.text), number.isWhole {
        self = .uint(value)
      } else if let value = number.double, !number.isWhole {
        self = .double(value)
      } else {
        throw DocumentRefusal("property lists have no number with so many digits")
      }
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .date(let milliseconds): self = .date(milliseconds: milliseconds)
    case .data(let bytes): self = .data(bytes)
    case .list(let values):
      var items: [PropertyList] = []
      for value in values { items.append(try PropertyList(value)) }
      self = .array(items)
    case .map(let members):
      var items: [Member] = []
      for member in members { items.append(Member(member.key, try PropertyList(member.value))) }
      self = .dictionary(items)
    case .plain(let text):
      throw DocumentRefusal(
        "readers of YAML take '\(text)' differently, so a property list has no form for it")
    case .other: throw DocumentRefusal("property lists have no form for this value")
    }
  }
}
