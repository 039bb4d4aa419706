import SyncKit

/// A small domain in which every rule of the sync model occurs.
struct SimulatedDomain: SyncDomain {
  let schema: DomainSchema

  /// What the devices of a world call it.
  static let name = "simulated"

  /// The elements of sets.
  static let colors = ["red", "green", "blue"]

  /// What no remote may ever hold, in no form.
  static let canary = "canary"

  /// - Parameters:
  ///   - title: The policy of a note's title; a test plants a bad one here.
  ///   - isOlder: Whether it is an older version, which knows less.
  ///   - name: What it is called.
  init(
    title: any ConflictPolicy = NewestPolicy(), isOlder: Bool = false, name: String = Self.name
  ) {
    let all = Self.collections(title)
    schema = DomainSchema(name, isOlder ? all.compactMap(Self.older) : all)
  }

  /// A collection as an older version knows it; nil for one that came later.
  private static func older(_ type: RecordType) -> RecordType? {
    guard type.name != "log" else { return nil }
    return RecordType(
      type.name, placement: type.placement, isOptIn: type.isOptIn, deleteRule: type.deleteRule,
      parents: type.parents, isMovable: type.isMovable,
      fields: type.fields.filter { !["mark", "theme", "stars", "due"].contains($0.name) })
  }

  private static func collections(_ title: any ConflictPolicy) -> [RecordType] {
    [
      RecordType(
        "note",
        fields: [
          Field("title", .string, policy: title),
          Field("body", .string, policy: KeepBothPolicy()),
          Field("state", .string, policy: RankPolicy { Self.rank($0) }),
          Field("score", .int, policy: ExtremePolicy.max),
          Field("low", .int, policy: ExtremePolicy.min),
          Field("mark", .string, policy: ManualPolicy()),
          Field("origin", .string, policy: ImmutablePolicy()),
          Field("tags", .set),
          Field("opened", .instant, policy: ExtremePolicy.max, weight: .touch),
          .group(
            "code", rebase: .remoteWins, [Field("code1", .string), Field("code2", .string)]),
          .group(
            "theme", rebase: .localWins, [Field("ink", .string), Field("paper", .string)]),
        ]),
      RecordType(
        "task", placement: .parent, deleteRule: .deleteWins, parents: ["note"], isMovable: true,
        fields: [
          Field("title", .string), Field("due", .string, rebase: .remoteWins),
          Field("opened", .instant, weight: .touch),
        ]),
      RecordType(
        "log", deleteRule: .newest,
        fields: [
          Field("text", .string), Field("level", .string, rebase: .localWins),
          Field("opened", .instant, weight: .touch),
        ]),
      RecordType(
        "album", placement: .root,
        fields: [Field("title", .string), Field("opened", .instant, weight: .touch)]),
      RecordType(
        "photo", placement: .parent, parents: ["album"],
        fields: [
          Field("title", .string), Field("stars", .int, policy: ExtremePolicy.max),
          Field("opened", .instant, weight: .touch),
        ]),
      RecordType(
        "diary", placement: .root, isOptIn: true,
        fields: [
          Field("title", .string), Field("hidden", .string, isLocal: true),
          Field("opened", .instant, weight: .touch),
        ]),
      RecordType(
        "page", placement: .parent, parents: ["diary"],
        fields: [
          Field("text", .string), Field("hidden", .string, isLocal: true),
          Field("opened", .instant, weight: .touch),
        ]),
      RecordType("secret", placement: .local, fields: [Field("text", .string)]),
    ]
  }

  /// `a…` before `b…` and so on; other values last.
  private static func rank(_ value: Value) -> Int {
    value.string?.utf8.first.map(Int.init) ?? .max
  }
}

extension SimulatedDomain {
  /// The fields that a step may write, one value for each; the number makes the values unique.
  func draft(
    for collection: RecordType, number: Int, using random: inout SeededRandom
  ) -> [FieldName: Value] {
    guard collection.placement != .local else {
      return ["text": .string("\(Self.canary)\(number)")]
    }
    let fields = collection.fields.filter { $0.weight == .edit }
    var values: [FieldName: Value] = [:]
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let field = fields[Int.random(in: fields.indices, using: &random)]
      if field.members.isEmpty {
        values[field.name] = value(of: field, number, &random)
      } else {
        for member in field.members { values[member.name] = value(of: member, number, &random) }
      }
    }
    return values
  }

  private func value(of field: Field, _ number: Int, _ random: inout SeededRandom) -> Value {
    if field.isLocal { return .string("\(Self.canary)\(number)") }
    // A person empties a field now and then.
    if field.type == .string, random.chance(4) { return .null }
    switch field.type {
    case .int: return .int(Int64(number * 1_000 + Int.random(in: -99_000...99_000, using: &random)))
    case .set:
      let colors = Self.colors.filter { _ in random.chance(50) }
      return .list(colors.map(Value.string))
    default:
      let rank = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
      return .string("\(rank)\(number)")
    }
  }
}
