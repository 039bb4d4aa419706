import ReadableDocuments
import SyncKit
import SyncKitText

/// What one file says, of one moment.
struct DocumentReading {
  /// What was read of a document, and what was edited outside of its mail.
  struct Content {
    /// Members at the top that hold no records.
    var rest = ValueMap()
    /// The mail; nil when an app that knows nothing of it wrote the file.
    var mail: DocumentMail?
    /// What an app has seen that wrote the file without the mail.
    var base: [Segment] = []
    /// What apps and people have edited.
    var edits: [Segment] = []
    /// Whether each record is there as it was written.
    var isAsWritten = false
    /// What cannot be taken in, as sentences.
    var faults: [String] = []
  }

  /// How often a file is read that others are writing meanwhile.
  private static let tries = 3

  /// The stamp of the bytes; nil if they were others each time, or are more than there may be.
  private(set) var stamp: ContentStamp?
  private(set) var content: Result<Content, DocumentText.Problem> = .failure(
    .damaged("another program is writing it"))
  private(set) var isTooLarge = false

  /// Reads a file.
  ///
  /// - Throws: ``DocumentFolder/Absent`` when it is not here.
  init(_ name: String, in folder: DocumentFolder, _ source: DocumentSource) throws {
    for _ in 0..<Self.tries {
      guard let window = try folder.open(name) else { throw DocumentFolder.Absent() }
      guard window.count <= DocumentFolder.maximumSize else {
        isTooLarge = true
        return
      }
      do {
        let before = try ContentStamp(window)
        let found: Result<Content, DocumentText.Problem>
        do { found = .success(try Self.read(window, source)) } catch let problem
          as DocumentText.Problem
        {
          found = .failure(problem)
        }
        guard try ContentStamp(window) == before else { continue }
        (stamp, content) = (before, found)
        return
      } catch is TextWindow.Shortened {
        continue
      } catch is JSONError {
        // The text passed its check, so another program has replaced it since.
        continue
      }
    }
  }

  private static func read(_ window: TextWindow, _ source: DocumentSource) throws -> Content {
    let text = try source.read(window)
    var content = Content(rest: text.rest, mail: text.mail)
    guard let mail = text.mail else {
      content.faults = try text.forEachRecord { _ in }
      content.base = try source.base().filter { source.owns($0.info.zone) }
      let edits = try source.edits(in: text, over: content.base, by: .later)
      content.edits = edits.segments
      content.faults += edits.faults
      return content
    }
    var missing = text.digests
    var suspects: Set<Int> = []
    var ids: [Value] = []
    var count = 0
    content.faults = try text.forEachRecord { entry in
      ids.removeLast(ids.count - entry.depth)
      let digest = RecordDigest(entry.digest(in: ids.last ?? .null, source.coding))
      ids.append(entry.id)
      if text.digests.contains(digest) { missing.remove(digest) } else { suspects.insert(count) }
      count += 1
    }
    content.isAsWritten = suspects.isEmpty && missing.isEmpty
    guard !suspects.isEmpty else { return content }
    let edits = try source.edits(in: text, over: mail.segments.values, by: .edited(suspects))
    content.edits = edits.segments
    content.faults += edits.faults
    return content
  }
}
