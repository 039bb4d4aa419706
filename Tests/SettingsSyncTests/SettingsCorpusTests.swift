import Testing

@testable import SettingsSync

/// Files of the kinds that people have are read, and edited key by key.
struct SettingsCorpusTests {
  @Test(arguments: SettingsCorpus.files.indices)
  func `a file is read, and stays as it is without an edit`(number: Int) throws {
    let file = SettingsCorpus.files[number]
    var read = try SettingsFile(Array(file.text.utf8), named: file.format)
    #expect(read.problems.map(\.key).sorted() == file.leftOut.sorted(), "\(file.kind)")
    #expect(!read.values.isEmpty)
    #expect(read.edit(read.values.mapValues { $0 }).isEmpty)
    #expect(String(decoding: try read.serialized(), as: UTF8.self) == file.text)
  }

  @Test(arguments: SettingsCorpus.files.indices)
  func `an edit of a value changes its line and no other`(number: Int) throws {
    let file = SettingsCorpus.files[number]
    let read = try SettingsFile(Array(file.text.utf8), named: file.format)
    for (key, value) in read.values {
      guard let new = Self.other(value) else { continue }
      var edited = read
      let refused = edited.edit([key: new])
      if let refusal = refused.first {
        // Something that others refer to, or that may end in a comment.
        let isExpected =
          refusal.reason.contains("comment") ? read.format == .ini : file.text.contains("&")
        #expect(isExpected, "\(file.kind): \(key): \(refusal.reason)")
        continue
      }
      let text = String(decoding: try edited.serialized(), as: UTF8.self)
      let (old, lines) = (Self.lines(file.text), Self.lines(text))
      // A text of several lines becomes one line; all others are there as they were.
      let head = zip(old, lines).prefix { $0.0 == $0.1 }.count
      let tail = zip(old.reversed(), lines.reversed()).prefix { $0.0 == $0.1 }.count
      #expect(head + tail >= lines.count - 1, "\(file.kind): \(key)\n\(text)")
      #expect(edited[key] == new, "\(file.kind): \(key)")
    }
  }

  @Test(arguments: SettingsCorpus.files.indices)
  func `a key is removed, and a new one added, beside the others`(number: Int) throws {
    let file = SettingsCorpus.files[number]
    let read = try SettingsFile(Array(file.text.utf8), named: file.format)
    let new = file.format == "env" ? "NEW_KEY" : "[new section]a key"
    for key in read.values.keys {
      var edited = read
      if edited.edit([key: nil, new: .string("new")]).isEmpty {
        var wanted = read.values
        wanted[key] = nil
        wanted[new] = .string("new")
        let again = try SettingsFile(edited.serialized(), named: file.format)
        #expect(again.values == wanted, "\(file.kind): \(key)")
      } else {
        #expect(file.text.contains("&"), "\(file.kind): \(key)")
      }
    }
  }

  private static func lines(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// A value that differs in its first part that is one; nil for an empty list and the like.
  private static func other(_ value: SettingValue) -> SettingValue? {
    switch value {
    case .bool(let value): return .bool(!value)
    case .int(let value): return .int(value &+ 1)
    case .uint: return .uint(9_999_999_999_999_999_999)
    case .double(let value): return .double(value + 0.5)
    case .decimal: return .decimal("0.98765432109876543210")
    case .string(let text): return text.contains("\n") ? nil : .string("other")
    case .plain(let text): return .plain(text.contains(where: \.isNumber) ? "2026-02-03" : "no")
    case .date(let milliseconds): return .date(milliseconds: milliseconds + 60_000)
    case .data, .null: return nil
    case .array(var values):
      for (index, value) in values.enumerated() {
        guard let new = other(value) else { continue }
        values[index] = new
        return .array(values)
      }
      return nil
    case .dict(var members):
      for (index, member) in members.enumerated() {
        guard let new = other(member.value) else { continue }
        members[index].value = new
        return .dict(members)
      }
      return nil
    }
  }
}
