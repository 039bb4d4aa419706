import SyncKitFormats
import SyncKit
import Testing

@testable import MediaLibrary

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files in the forms of other services, each with what they say: `Tests/Corpora/media-imports`.
///
/// A case has lines of options, the input after `---`, and what is read after another `---`. The files of an
/// archive begin with `>>> PATH`. With `UPDATE_GOLDEN` set, the third part is rewritten.
struct ImportCorpusTests {
  static let folder: String = {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(tests)/Corpora/media-imports"
  }()

  static let names: [String] = {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return found.filter { $0.hasSuffix(".case") }.sorted()
  }()

  @Test func `the corpus has the forms of many services`() {
    #expect(Self.names.count >= 100)
  }

  @Test(arguments: names)
  func `a file is read as what it says`(name: String) throws {
    let path = "\(Self.folder)/\(name)"
    let whole = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let parts = whole.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    try #require(parts.count == 3, "\(name) needs options, an input and a result")
    let read = Self.read(String(parts[1]), options: String(parts[0]))
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data("\(parts[0])---\n\(parts[1])---\n\(read)".utf8).write(to: URL(filePath: path))
      return
    }
    #expect(read == parts[2])
  }

  @Test(arguments: names)
  func `a file makes the same records again, and they are written whole`(name: String) throws {
    let path = "\(Self.folder)/\(name)"
    let whole = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let parts = whole.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard
      let imported = try? Self.library(String(parts[1]), options: String(parts[0])),
      imported.faults.isEmpty
    else { return }
    let device = try FilmLover("laptop")
    let first = try device.take(imported)
    #expect(first.plan.faults.isEmpty)
    let again = try device.take(imported)
    #expect(again.summary.added == 0 && again.summary.changed == 0, "\(name)")
    let watches = imported.lists.flatMap(\.titles).reduce(0) { $0 + $1.watches.count }
    var kept = 0
    try device.store.forEachRecord(in: "watch") { _ in kept += 1 }
    #expect(kept == watches, "every viewing is an event")
  }

  static func read(_ input: String, options: String) -> String {
    do {
      return ImportSummary(try library(input, options: options)).text
    } catch let error as SyncError {
      return "refused: \(error.message)\n" + (error.hint.map { "  \($0)\n" } ?? "")
    } catch {
      return "\(error)\n"
    }
  }

  static func library(_ input: String, options text: String) throws -> ImportedLibrary {
    var options = MediaImport.Options()
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmed
      switch line[..<colon] {
      case "file": options.fileName = value
      case "format": options.format = MediaImport.Format(rawValue: value)
      case "list": options.list = value
      case "scale": options.scale = Int64(value)
      case "viewer": options.viewer = value
      case "date": options.dateOrder = DateColumn.Order(pattern: value)
      case "map":
        let parts = value.split(separator: "=")
        options.map[String(parts[0])] = String(parts[1])
      default: break
      }
    }
    guard input.hasPrefix(">>> ") else {
      guard let library = try MediaImport.read(Array(input.utf8), options) else {
        throw SyncError(.inputInvalid, "it is not from a service")
      }
      return library
    }
    var files: [String: String] = [:]
    var path = ""
    for line in input.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(">>> ") {
        path = line.dropFirst(4).trimmed
      } else {
        files[path, default: ""] += "\(line)\n"
      }
    }
    return try MediaImport.read(
      ExportFiles(paths: files.keys.sorted()) { Array((files[$0] ?? "").utf8) }, options)
  }
}

/// What was read from a file, in lines that a person can check.
struct ImportSummary {
  private(set) var text = ""

  init(_ library: ImportedLibrary) {
    for list in library.lists {
      add("\(library.source): \(list.name)")
      if let about = list.fields["about"]?.string { add("  about: \(about)") }
      for title in list.titles { add(title) }
    }
    for passed in library.passedOver { add("passed over: \(passed.count) \(passed.kind)") }
    for warning in library.warnings { add("! \(warning)") }
    for note in library.notes { add("= \(note)") }
    for fault in library.faults {
      add(
        "bad row \(fault.row.map { "\($0)" } ?? "-")\(fault.column.map { " '\($0)'" } ?? ""): "
          + fault.message)
    }
  }

  private mutating func add(_ line: String) { text += line + "\n" }

  private mutating func add(_ title: ImportedTitle) {
    let identity = title.identity
    var line = "  \(identity.type == .movie ? "film" : "series") \(title.title)"
    if let year = identity.year { line += " (\(year))" }
    if let tmdb = identity.tmdb { line += " tmdb \(tmdb)" }
    if let imdb = identity.imdb { line += " \(imdb)" }
    if let tvdb = identity.tvdb { line += " tvdb \(tvdb)" }
    if let trakt = identity.trakt { line += " trakt \(trakt)" }
    if let address = identity.letterboxd { line += " \(address)" }
    if let rating = title.rating {
      line += ", rated \(rating.rating)"
      if let at = rating.at { line += " on \(Day(milliseconds: at))" }
    }
    if title.isWatched { line += ", watched" }
    add(line)
    for (name, value) in title.fields.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .list: add("    \(name): \(value.texts.joined(separator: "; "))")
      case .string(let text): add("    \(name): \(text)")
      case .int(let number): add("    \(name): \(number)")
      case .instant(let time): add("    \(name): \(Day(milliseconds: time))")
      default: add("    \(name): \(value)")
      }
    }
    for episode in title.episodes {
      var line = "    \(episode.number)"
      if let name = episode.fields["name"]?.string { line += " \(name)" }
      if let rating = episode.rating { line += ", rated \(rating.rating)" }
      if episode.isWatched { line += ", watched" }
      add(line)
      for note in episode.notes { add("      note: \(note.text)") }
    }
    for watch in title.watches {
      var line = "    seen \(watch.day)"
      if watch.at != nil { line += " (with time)" }
      if let episode = watch.episode { line += " \(episode)" }
      if let name = watch.episodeName { line += " '\(name)'" }
      if watch.isRewatch == true { line += ", again" }
      if let rating = watch.rating { line += ", rated \(rating)" }
      if !watch.tags.isEmpty { line += ", tags \(watch.tags.joined(separator: "; "))" }
      if let review = watch.review { line += ", review: \(review)" }
      add(line)
    }
    for note in title.notes { add("    note: \(note.text)") }
  }
}
