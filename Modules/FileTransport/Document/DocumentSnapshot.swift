import SyncKitText
import ReadableDocuments
import SyncKit

/// All that a document and its copies say together, at one moment.
struct DocumentSnapshot {
  /// A file that takes part, as it was read.
  struct File {
    var name: String
    var bytes: [UInt8]
  }

  /// The document's own bytes; nil when there is none.
  private(set) var main: [UInt8]?
  /// Whether the document's own bytes are damaged or hold what cannot be taken in.
  private(set) var mustKeepMain = false
  /// Whether the document is known to be there and is not here yet.
  private(set) var isAwaited = false
  /// The copies that have been taken in; they may go when the document holds all of it.
  private(set) var copies: [File] = []
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
    for name in contents.names {
      guard let bytes = try await folder.read(name) else {
        if name == folder.name { isAwaited = true }
        notes.append("'\(folder.path(name))' is not here yet.")
        continue
      }
      guard bytes.count <= DocumentFolder.maximumSize else {
        guard name == folder.name else {
          notes.append("'\(folder.path(name))' is too large for a document.")
          continue
        }
        throw SyncError.tooLarge(folder.location, source.domain.name)
      }
      let file = File(name: name, bytes: bytes)
      if name == folder.name { main = bytes }
      try take(file, isMain: name == folder.name, path: folder.path(name))
    }
  }

  private mutating func take(_ file: File, isMain: Bool, path: String) throws {
    let content: DocumentFile
    do {
      content = try source.read(file.bytes)
    } catch let problem as DocumentFile.Problem {
      switch problem {
      case .damaged(let why):
        notes.append("'\(path)' is damaged or incomplete: \(why).")
        if isMain { mustKeepMain = !file.bytes.isEmpty }
      case .newer(let why):
        let message = "\(isMain ? location : "'\(path)'") was written by a newer version: \(why)."
        guard isMain else { return notes.append(message) }
        throw SyncError(
          .formatNewer, message,
          hint: "Upgrade cloudsync on this device; the file was not touched.")
      }
      return
    }
    if !isMain {
      copies.append(file)
      isStale = true
    }
    let names = source.document.headNames.union(source.document.levels.map(\.key))
    for member in content.readable.members
    where !names.contains(member.name) && rest[member.name] == nil {
      rest[member.name] = member.value
    }
    let tree = DocumentTree(content.readable, levels: source.document.levels)
    let edits = try edits(of: content, tree, isMain: isMain)
    for segment in edits?.segments ?? [] { mail.add(segment) }
    var faults = edits?.faults ?? tree.faults
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

  /// Takes in the mail of a file, and finds what was edited outside of it.
  private mutating func edits(
    of content: DocumentFile, _ tree: DocumentTree, isMain: Bool
  ) throws -> ForeignEdits? {
    guard let own = content.mail else {
      if isMain { isStale = true }
      let base = try source.base().filter { source.owns($0.info.zone) }
      for segment in base { mail.add(segment) }
      return try source.edits(in: tree, over: base, by: .later)
    }
    mail.add(own)
    if isMain { held = own }
    let digests = tree.entries.indices.map { source.digest(tree, $0) }
    let suspects = Set(digests.indices.filter { !own.records.contains(digests[$0]) })
    if isMain, !suspects.isEmpty || Set(digests).count < own.records.count { isStale = true }
    guard !suspects.isEmpty else { return nil }
    return try source.edits(in: tree, over: own.segments.values, by: .edited(suspects))
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

  func read(_ bytes: [UInt8]) throws -> DocumentFile {
    try DocumentFile(bytes, of: document, domain: domain.name, coding: coding)
  }

  func digest(_ tree: DocumentTree, _ index: Int) -> String {
    DocumentMail.digest(tree.digest(index, coding))
  }

  func edits(
    in tree: DocumentTree, over segments: some Sequence<Segment>, by standard: ForeignEdits.Standard
  ) throws -> ForeignEdits {
    let base = try DocumentReplica(domain, coding: coding, segments: segments)
    return try ForeignEdits(in: tree, over: base, by: standard, document, coding: coding)
  }

  /// The bytes of the document that shows what the mail holds.
  func bytes(_ mail: DocumentMail, keeping rest: ValueMap) throws -> [UInt8] {
    let replica = try DocumentReplica(domain, coding: coding, segments: mail.segments.values)
    let root = try replica.render(document, keeping: rest)
    // As a reader will see it: what JSON cannot say must not count as an edit.
    guard case .map(let readable) = Value(JSON(.map(root))) else { return [] }
    let tree = DocumentTree(readable, levels: document.levels)
    var mail = mail
    mail.records = Set(tree.entries.indices.map { digest(tree, $0) })
    return DocumentFile.bytes(readable, mail, domain: domain.name)
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
