import LocalMachine
import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync airports resolve [FILE|-]`.
struct AirportsResolve: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Show what each code in a roster stands for.",
    discussion: examples(
      "cloudsync airports resolve roster.txt", "pbpaste | cloudsync airports resolve --json",
      "cloudsync airports resolve - --learn < roster.txt",
      "cloudsync airports resolve roster.txt --dry-run",
      after: """
        A word of three capital letters is read as an IATA code, and a word of four as an ICAO \
        code if there is such an airport; a word alone on its line may be in lower case. Your \
        mappings come first, then the reference; nothing is guessed. Unknown codes are recorded as \
        unknown/CODE, on every device, until they are mapped, and the exit status is 3. --learn \
        adds mappings for the codes that the reference knows. --dry-run writes nothing.
        """))

  @Argument(help: "The text; - or no file is standard input.", completion: .file())
  var file: String = "-"
  @Flag(help: "Add mappings for the codes that the reference knows.") var learn = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let roster = RosterReader(try text(context))
    guard !roster.codes.isEmpty else {
      throw SyncError(
        .inputInvalid, "there is no airport code in \(file == "-" ? "the input" : file)",
        hint: "a code is three or four capital letters, such as JFK or KJFK")
    }
    let writer = try RecordWriter<AirportsRegistration>(session, isRehearsal: change.dryRun)
    let answers = try writer.store.resolve(roster).filter { $0.outcome != .word }
    let result = try write(answers, with: writer, at: context.terminal.now())
    if !change.dryRun { try countUses(answers, session, at: context.terminal.now()) }
    context.print(report(answers, result))
    context.tell(result)
    let unresolved = answers.filter { $0.lookup == nil }.map(\.code.text)
    guard unresolved.isEmpty else {
      let shown = unresolved.prefix(10).joined(separator: ", ")
      throw SyncError(
        .partial,
        "\(unresolved.count) of \(Plural(answers.count, "code")) could not be resolved: \(shown)"
          + (unresolved.count > 10 ? ", …" : ""),
        hint: hint(answers), isSafe: change.dryRun)
    }
  }

  /// What to do about the codes without an answer: a city's code cannot be mapped.
  private func hint(_ answers: [CodeResolution]) -> String {
    var hints: [String] = []
    let cities = answers.compactMap { answer -> String? in
      guard case .city(let airports) = answer.outcome else { return nil }
      return "\(answer.code.text) (\(airports.compactMap(\.iata).joined(separator: ", ")))"
    }
    if !cities.isEmpty {
      let noun = cities.count == 1 ? "the code of a city" : "codes of cities"
      let shown = cities.prefix(3).joined(separator: ", ") + (cities.count > 3 ? ", …" : "")
      hints.append("use the code of an airport in place of \(noun): \(shown)")
    }
    if answers.contains(where: { $0.outcome == .unknown }) {
      hints.append("'cloudsync airports add IATA ICAO' adds a mapping")
    }
    return hints.joined(separator: "; ")
  }

  private func text(_ context: CommandContext) throws -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let input = try ImportInput(file, context.terminal)
      while case let chunk = try input.next(), !chunk.isEmpty, bytes.count <= Self.largestText {
        bytes += chunk
      }
    } catch {
      throw SyncError(.inputMissing, error.description)
    }
    guard bytes.count <= Self.largestText else {
      throw SyncError(.inputInvalid, "the text is larger than 64 MiB", hint: "split it into parts")
    }
    // In any encoding codes are found where there are some.
    return (try? DecodedText(bytes).utf8) ?? bytes
  }

  private static let largestText = 1 << 26

  /// Writes the findings of the roster: unknown codes, uses of mappings, and codes to learn.
  private func write(
    _ answers: [CodeResolution], with writer: RecordWriter<AirportsRegistration>, at time: Int64
  ) throws -> WriteResult {
    var refusals: [Concern] = []
    var result = try writer.write { transaction in
      refusals = []
      var keys = try transaction.noteUnknown(
        answers.filter { $0.outcome == .unknown }.map(\.code.text), at: time
      ).map { RecordKey.unknown(iata: $0) }
      try transaction.noteUse(of: answers.compactMap { $0.lookup?.mapping?.iata }, at: time)
      guard learn else { return keys }
      for case let found? in answers.map(\.lookup) where found.mapping == nil {
        guard let iata = found.iata, let icao = found.icao else { continue }
        if case .refused(let reason) = try transaction.learn(iata: iata, icao: icao) {
          refusals.append(Concern(reason))
        } else {
          keys.append(try .mapping(iata: iata))
        }
      }
      return keys
    }
    result.warnings = refusals.messages
    return result
  }

  private func countUses(_ answers: [CodeResolution], _ session: Session, at time: Int64) throws {
    var uses: [String: Int] = [:]
    for answer in answers {
      if let iata = answer.lookup?.iata { uses[iata, default: 0] += answer.code.count }
    }
    try session.store(AirportUsageDomain().name).countUses(uses, at: time)
  }

  private func report(_ answers: [CodeResolution], _ result: WriteResult) -> Report {
    var keys = result.report("").document
    keys["schema"] = nil
    keys["codes"] = .array(answers.map { .object($0.json) })
    keys["unresolved"] = .array(answers.filter { $0.lookup == nil }.map { .string($0.code.text) })
    return Report(
      "cloudsync.airports.resolve/1", keys, records: "codes",
      table: ReportTable(
        [ReportTable.Column("code")] + AirportAnswer.columns + [
          ReportTable.Column("line", numeric: true)
        ],
        rows: answers.map(\.cells)))
  }
}

extension CodeResolution {
  fileprivate var json: JSONObject {
    var keys: JSONObject = [
      "code": .string(code.text), "line": .int(Int64(code.line)), "count": .int(Int64(code.count)),
    ]
    for (key, value) in answer.json.members { keys[key] = value }
    if case .city(let airports) = outcome {
      keys["airports"] = .array(airports.compactMap { $0.iata.map { .string($0) } })
    }
    return keys
  }

  fileprivate var cells: [ReportTable.Cell] {
    [ReportTable.Cell(code.text)] + answer.cells + [ReportTable.Cell(code.line)]
  }

  /// The answer, or an empty one with the reason.
  private var answer: AirportAnswer {
    switch outcome {
    case .found(let lookup): AirportAnswer(lookup)
    case .city: AirportAnswer(noneFrom: "city")
    case .unknown, .word: AirportAnswer(noneFrom: "unknown")
    }
  }
}
