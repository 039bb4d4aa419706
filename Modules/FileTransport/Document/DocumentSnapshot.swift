import SyncKitText
import ReadableDocuments
import SyncKit

/// All that a document and its copies say together, at one moment.
struct DocumentSnapshot {
  /// A copy that takes part, as it was read.
  struct Copy {
    var name: String
    var stamp: ContentStamp?
  }

  /// The stamp of the document's own bytes; nil when there is none.
  private(set) var main: ContentStamp?
  /// Whether the document's own bytes are damaged or hold what cannot be taken in.
  private(set) var mustKeepMain = false
  /// Whether the document is known to be there and is not here yet.
  private(set) var isAwaited = false
  /// The copies that have been taken in; they may go when the document holds all of it.
  private(set) var copies: [Copy] = []
  /// Everything that was found.
  private(set) var mail = DocumentMail()
  /// What the document itself holds.
  private(set) var held = DocumentMail()
  /// Members at the top that this version does not know.
  private(set) var rest = ValueMap()
  /// Whether the document must be written even if nothing is stored.
  private(set) var isStale = false
  /// What is passed over, as sentences.
  private(set) var notes: [String] = []

  private let source: DocumentSource
  private let location: String

  init(_ folder: DocumentFolder, _ source: DocumentSource) async throws {
    self.source = source
    location = folder.location
    let contents = try await folder.contents()
    isAwaited = contents.isAwaited
    if isAwaited { notes.append("'\(folder.path(folder.name))' is not here yet.") }
    for name in contents.names { try take(name, in: folder) }
  }

  private mutating func take(_ name: String, in folder: DocumentFolder) throws {
    let isMain = name == folder.name
    let path = folder.path(name)
    let reading: DocumentReading
    do { reading = try DocumentReading(name, in: folder, source) } catch is DocumentFolder.Absent {
      if isMain { isAwaited = true }
      notes.append("'\(path)' is not here yet.")
      return
    }
    guard !reading.isTooLarge else {
      guard isMain else {
        notes.append("'\(path)' is too large for a document.")
        return
      }
      throw SyncError.tooLarge(folder.location, source.domain.name)
    }
    if isMain { main = reading.stamp }
    switch reading.content {
    case .failure(.damaged(let why)):
      notes.append("'\(path)' is damaged or incomplete: \(why).")
      if isMain { mustKeepMain = reading.stamp?.count != 0 }
    case .failure(.newer(let why)):
      let message = "\(isMain ? location : "'\(path)'") was written by a newer version: \(why)."
      guard isMain else { return notes.append(message) }
      throw SyncError(
        .formatNewer, message,
        hint: "Upgrade cloudsync on this device; the file was not touched.")
    case .success(let content):
      take(content, Copy(name: name, stamp: reading.stamp), isMain, path: path)
    }
  }

  private mutating func take(
    _ content: DocumentReading.Content, _ file: Copy, _ isMain: Bool, path: String
  ) {
    if !isMain {
      copies.append(file)
      isStale = true
    }
    let names = source.document.headNames
    for member in content.rest.members
    where !names.contains(member.name) && rest[member.name] == nil {
      rest[member.name] = member.value
    }
    for segment in content.base { mail.add(segment) }
    if let own = content.mail {
      mail.add(own)
      if isMain { held = own }
    }
    if isMain, !content.isAsWritten { isStale = true }
    for segment in content.edits { mail.add(segment) }
    var faults = content.faults
    if let damaged = content.mail?.damaged, damaged > 0 {
      faults.append("\(damaged) of its segments are damaged.")
    }
    if let first = faults.first {
      let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
      notes.append("Parts of '\(path)' cannot be read: \(first)\(more)")
      if isMain {
        (mustKeepMain, isStale) = (true, true)
      } else {
        // A copy with something that exists nowhere else is not ours to remove.
        copies.removeAll { $0.name == file.name }
      }
    }
  }
}

/// What is needed to understand a document: the domain, how it is read, and what it said before.
struct DocumentSource: Sendable {
  let domain: any SyncDomain
  let document: any ReadableDocument
  let coding: any SegmentCoding
  /// The segments that the remote held at this device's last sync.
  let base: @Sendable () throws -> [Segment]
  /// The zones whose segments belong into the file; the segments of others are read and not written.
  var owns: @Sendable (ZoneID) -> Bool = { _ in true }

  func read(_ window: TextWindow) throws -> DocumentText {
    try DocumentText(window, of: document, domain: domain.name, coding: coding)
  }

  func edits(
    in entries: some DocumentEntries, over segments: some Sequence<Segment>,
    by standard: ForeignEdits.Standard
  ) throws -> ForeignEdits {
    try ForeignEdits(in: entries, over: replicas(segments), by: standard, document)
  }

  /// Writes the document that shows what the mail holds.
  func write(_ mail: DocumentMail, keeping rest: ValueMap, to output: JSONOutput) throws {
    try write(document, mail, keeping: rest, to: output)
  }

  private func write(
    _ document: some ReadableDocument, _ mail: DocumentMail, keeping rest: ValueMap,
    to output: JSONOutput
  ) throws {
    var writing = try DocumentWriting(
      document, mail, replicas(mail.segments.values), keeping: rest)
    try writing.write(to: output)
  }

  private func replicas(_ segments: some Sequence<Segment>) -> DocumentReplicas {
    DocumentReplicas(domain, coding: coding, segments: segments)
  }
}

extension SyncError {
  static func tooLarge(_ location: String, _ domain: String) -> SyncError {
    SyncError(
      .documentTooLarge,
      "\(location) would be larger than \(DocumentFolder.maximumSize >> 20) MiB.",
      hint: "Store '\(domain)' as segments: 'cloudsync \(domain) convert-layout segments'.")
  }
}

extension SyncError.Code {
  /// A domain has become too large for one file.
  public static let documentTooLarge = Self("remote.document-size", exit: 78)
}
