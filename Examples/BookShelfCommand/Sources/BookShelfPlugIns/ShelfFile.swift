import SyncKit

/// The file format `shelf`: a book a line, as `id: title / author`, in UTF-8.
enum ShelfFile {
  static func read(_ bytes: [UInt8]) -> ImportedRecords {
    var imported = ImportedRecords(rows: [])
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1).map(trimmed)
      guard parts.count == 2 else {
        imported.faults.append(
          ImportedRecords.Fault(
            row: index + 1, message: "A book is written as 'id: title / author'."))
        continue
      }
      let names = parts[1].split(separator: "/", maxSplits: 1).map(trimmed)
      var fields: [FieldName: Value] = ["title": .string(names.first ?? "")]
      if names.count == 2 { fields["author"] = .string(names[1]) }
      imported.rows.append(
        ImportedRecords.Row(
          row: index + 1, draft: RecordDraft("book", id: RecordID(parts[0]), fields: fields)))
    }
    return imported
  }

  static func write(_ records: [Record]) -> [UInt8] {
    let lines = records.map { book in
      let author = book["author"].string.map { " / \($0)" } ?? ""
      return "\(book.key.id): \(book["title"].string ?? "")\(author)\n"
    }
    return Array(lines.joined().utf8)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " || text.last == "\r" { text.removeLast() }
    return String(text)
  }
}
