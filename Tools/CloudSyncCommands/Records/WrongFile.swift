import CommandFoundation
import SyncKit
import SyncKitFormats

/// A file given to the wrong command: what it is, and which command reads it.
struct WrongFile {
  /// What the file is, with its article.
  var what: String
  /// What to do with it.
  var hint: String

  /// The refusal of the file.
  func error(_ name: String) -> SyncError {
    SyncError(.inputInvalid, "\(name): this is \(what)", hint: hint)
  }

  /// Recognises a file that another command reads; nil if this one does, or if none does.
  ///
  /// - Parameters:
  ///   - sample: The beginning of the file.
  ///   - domain: The domain whose command was given the file.
  ///   - verb: The verb of the command, such as `import`.
  init?<D: DomainRegistration>(_ sample: FileSample, for domain: D.Type, verb: String) {
    if let own = D.recognition(of: sample) {
      if own.verbs.contains(verb) { return nil }
      self.init(own, readBy: D.domain.name)
      return
    }
    for other in DomainRegistry.all where other.domain.name != D.domain.name {
      guard let found = other.recognition(of: sample) else { continue }
      self.init(found, readBy: other.domain.name)
      return
    }
    if let document = Self.document(sample, for: D.domain.name) {
      self = document
    } else if let other = Self.foreign(sample) {
      self = other
    } else {
      return nil
    }
  }

  private init(what: String, hint: String) {
    self.what = what
    self.hint = hint
  }

  private init(_ file: RecognizedFile, readBy domain: String) {
    let verb = file.verbs.first ?? "import"
    self.init(what: file.what, hint: "'cloudsync \(domain) \(verb)' reads it")
  }

  /// A document of this program about something else.
  private static func document(_ sample: FileSample, for domain: String) -> WrongFile? {
    if sample.paths.contains("backup.json"),
      sample.paths.contains(where: { $0.hasPrefix("stores/") })
    {
      return WrongFile(
        what: "a backup of all domains", hint: "'cloudsync backup restore' reads it")
    }
    let parts = (sample.outline.texts["schema"] ?? "").split(separator: ".")
    guard parts.count > 2, parts[0] == "cloudsync", let name = parts.dropFirst().first,
      name != domain, DomainRegistry.names.contains(String(name))
    else { return nil }
    return WrongFile(
      what: "a document of the domain \(name)", hint: "'cloudsync \(name) import' reads lists of it"
    )
  }

  /// A kind of file that no command reads.
  private static func foreign(_ sample: FileSample) -> WrongFile? {
    let names = Set(sample.paths)
    if names.contains("xl/workbook.xml") || names.contains("xl/workbook.bin") {
      return WrongFile(what: "an Excel workbook", hint: asTable)
    }
    if names.contains("Index/Document.iwa") || names.contains("content.xml") {
      return WrongFile(what: "a document of an office program", hint: asTable)
    }
    switch sample.content {
    case .office: return WrongFile(what: "an old Excel workbook or Word document", hint: asTable)
    case .pdf: return WrongFile(what: "a PDF document", hint: asTable)
    case .image: return WrongFile(what: "an image", hint: "import the file that it shows")
    case .sqlite:
      return WrongFile(what: "an SQLite database", hint: "export its tables as CSV or JSON first")
    case .sevenZip, .rar, .tar:
      return WrongFile(what: "an archive of another kind than ZIP", hint: "unpack it first")
    case .zip, .gzip, .binaryPropertyList, .fit, .markup, .text: return nil
    }
  }

  private static let asTable = "save it as a table first: CSV in UTF-8"

  // MARK: After a failure

  /// A better word about a file that a command could not read, if there is one.
  ///
  /// - Parameters:
  ///   - sample: The beginning of the file, which the domain did not recognise.
  ///   - name: The name of the file in messages.
  ///   - command: The command without the name of the program.
  ///   - error: What the command says; `usage` if it has no reader at all for such a file.
  /// - Returns: The error to throw in its place; nil to leave it.
  static func explanation(
    _ sample: FileSample, of name: String, for command: String, instead error: SyncError
  ) -> SyncError? {
    switch sample.content {
    case .zip where error.code == .usage:
      let names = sample.paths.filter { !$0.hasSuffix("/") }.map { Sanitized.line($0) }
      let shown = names.prefix(3).joined(separator: ", ")
      let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
      let found = names.isEmpty ? "nothing" : shown + rest
      return SyncError(
        .inputInvalid,
        "\(name): the archive has no file that 'cloudsync \(command)' reads; it holds \(found)",
        hint: "unpack it and import one of its files")
    case .gzip:
      return SyncError(
        .inputInvalid, "\(name): this is a file compressed with gzip", hint: "unpack it first")
    case .markup:
      let isPage = sample.text.contains("<html") || sample.text.contains("<!doctype html")
      return SyncError(
        .inputInvalid,
        isPage
          ? "\(name): this is a web page, perhaps of a login in place of a download"
          : "\(name): this is an XML file of a kind that 'cloudsync \(command)' does not read")
    default: return nil
    }
  }
}
