import SyncKit
import SyncKitTesting
import Testing

/// Another program writes registers into a record that are no fields of it, or no values of them.
struct ForeignFieldTests {
  private let remote = InMemoryTransport()
  private let clock = VirtualClock()
  private let emma = RecordKey(collection: "book", id: "emma")

  private static let registers: [FieldName] = [
    "title", "rating", "opened", "notes", "diary", "tags", "isbn", "code", "loans", "page",
    "tags\u{0}bogus",
  ]

  /// A phone that has a book, and a foreign program that has it too.
  private func meet(
    _ fields: [FieldName: Value]
  ) async throws -> (
    phone: TestDevice, foreign: ForeignProgram
  ) {
    let phone = try TestDevice("phone", remote, clock: clock)
    let foreign = try ForeignProgram(
      Books().schema, registers: Self.registers, at: remote, clock: clock)
    try phone.save("emma", fields)
    try await phone.engine.syncNow()
    try await foreign.sync()
    return (phone, foreign)
  }

  private func exchange(_ phone: TestDevice, _ foreign: ForeignProgram) async throws {
    try await foreign.sync()
    try await phone.engine.syncNow()
    try await foreign.sync()
  }

  @Test func `a field beside a group never shows in the place of the group's member`()
    async throws
  {
    let (phone, foreign) = try await meet(["isbn": "1815", "source": "own"])
    try foreign.write(emma, ["isbn": "9999"])
    try await exchange(phone, foreign)

    let shown = try #require(try phone.book("emma"))
    #expect(shown.fields == ["isbn": "1815", "source": "own"])
    #expect(shown.others == ["isbn": "9999"])
    #expect(shown.conflicts.isEmpty)

    // An edit is measured by what is shown.
    try phone.save("emma", ["isbn": "9999"])
    #expect(try phone.book("emma")?["isbn"] == "9999")
    try phone.save("emma", ["isbn": "1816"])
    #expect(try phone.book("emma")?["isbn"] == "1816")

    // And what is foreign travels on as it was.
    try await exchange(phone, foreign)
    #expect(try foreign.registers(of: emma)["isbn"] == "9999")
    #expect(
      try foreign.registers(of: emma)["code"]
        == .map(ValueMap([("isbn", "1816"), ("source", "own")])))
  }

  @Test func `two foreign values beside a group need no decision`() async throws {
    let (phone, foreign) = try await meet(["isbn": "1815"])
    let other = try ForeignProgram(Books().schema, registers: Self.registers, at: remote)
    try await other.sync()
    try foreign.write(emma, ["isbn": "1"])
    try other.write(emma, ["isbn": "2"])
    try await foreign.sync()
    try await other.sync()
    try await phone.engine.syncNow()
    #expect(try phone.book("emma")?.fields == ["isbn": "1815"])
    #expect(try phone.store.conflicts().isEmpty)
  }

  @Test func `a field that stays on this device is never shown from elsewhere`() async throws {
    let (phone, foreign) = try await meet(["title": "Emma"])
    try foreign.write(emma, ["diary": "planted"])
    try await exchange(phone, foreign)
    #expect(try phone.book("emma")?.fields == ["title": "Emma"])

    try phone.save("emma", ["diary": "mine"])
    #expect(try phone.book("emma")?["diary"] == "mine")
    try phone.save("emma", ["diary": .null])
    #expect(try phone.book("emma")?["diary"].isNull == true)
    try await exchange(phone, foreign)
    #expect(try foreign.registers(of: emma)["diary"] == "planted")
  }

  @Test func `a group that is not a map shows none of its members and can be written again`()
    async throws
  {
    let (phone, foreign) = try await meet(["isbn": "1815", "title": "Emma"])
    try foreign.write(emma, ["code": "LSXX"])
    try await exchange(phone, foreign)
    #expect(try phone.book("emma")?.fields == ["title": "Emma"])
    #expect(try phone.book("emma")?.others == ["code": "LSXX"])

    try phone.save("emma", ["isbn": "1815"])
    #expect(try phone.book("emma")?.fields == ["title": "Emma", "isbn": "1815"])
    try await exchange(phone, foreign)
    #expect(try foreign.registers(of: emma)["code"] == .map(ValueMap([("isbn", "1815")])))
  }

  @Test func `members that a group lacks stay in it and shadow no field of the record`()
    async throws
  {
    let (phone, foreign) = try await meet(["isbn": "1815", "title": "Emma", "rating": 5])
    let odd = ValueMap([
      ("isbn", "1815"), ("title", "shadow"), ("code", "shadow"), ("diary", "shadow"),
      ("language", "en"),
    ])
    try foreign.write(emma, ["code": .map(odd)])
    try await exchange(phone, foreign)
    #expect(try phone.book("emma")?.fields == ["isbn": "1815", "title": "Emma", "rating": 5])

    try phone.save("emma", ["isbn": "1816", "title": "Emma, again"])
    #expect(
      try phone.book("emma")?.fields == ["isbn": "1816", "title": "Emma, again", "rating": 5])
    try await exchange(phone, foreign)
    var kept = odd
    kept["isbn"] = "1816"
    #expect(try foreign.registers(of: emma)["code"] == .map(kept))
  }

  @Test func `a member of another type is unset, and set again by an edit`() async throws {
    let (phone, foreign) = try await meet(["isbn": "1815", "source": "own"])
    try foreign.write(emma, ["code": .map(ValueMap([("isbn", 1815), ("source", "own")]))])
    try await exchange(phone, foreign)
    #expect(try phone.book("emma")?.fields == ["source": "own"])
    try phone.save("emma", ["isbn": "1815"])
    #expect(try phone.book("emma")?.fields == ["isbn": "1815", "source": "own"])
    #expect(try phone.book("emma")?.others == [:])
  }

  @Test func `a value of another type is not a value, and an edit replaces it`() async throws {
    let (phone, foreign) = try await meet([
      "title": "Emma", "rating": 5, "opened": .instant(1), "notes": "good",
    ])
    try foreign.write(
      emma, ["title": 1, "rating": "five", "opened": "zzz", "notes": .list(["a"])])
    try await exchange(phone, foreign)
    #expect(try phone.book("emma")?.fields == [:])
    #expect(try phone.book("emma")?.others.count == 4)

    let wanted: [FieldName: Value] = [
      "title": "Emma", "rating": 5, "opened": .instant(2), "notes": "good",
    ]
    try phone.save("emma", wanted)
    #expect(try phone.book("emma")?.fields == wanted)
    #expect(try phone.book("emma")?.others == [:])
  }

  @Test func `what is shown as unset can be unset`() async throws {
    let (phone, foreign) = try await meet(["title": "Emma", "rating": 5])
    try foreign.write(emma, ["rating": "five"])
    try await exchange(phone, foreign)
    try phone.save("emma", ["rating": .null])
    #expect(try phone.book("emma")?.others == [:])
    try await exchange(phone, foreign)
    #expect(try foreign.registers(of: emma)["rating"] == nil)
  }

  @Test func `beside a value of its type another one neither shows nor asks`() async throws {
    let (phone, foreign) = try await meet(["title": "Emma", "opened": .instant(1), "notes": "a"])
    try phone.save("emma", ["title": "Emma, again", "opened": .instant(5), "notes": "b"])
    try foreign.write(emma, ["title": 7, "opened": "zzz", "notes": 7])
    clock.advance(by: 1_000)
    try foreign.write(emma, ["title": 8])
    try await foreign.sync()
    try await phone.engine.syncNow()
    #expect(
      try phone.book("emma")?.fields
        == ["title": "Emma, again", "opened": .instant(5), "notes": "b"])
    #expect(try phone.store.conflicts().isEmpty)

    try phone.save("emma", ["opened": .instant(6)])
    #expect(try phone.book("emma")?["opened"] == .instant(6))
  }

  @Test func `a value under the name of a set is not an element of it`() async throws {
    let (phone, foreign) = try await meet(["tags": .list(["blue"])])
    try foreign.write(emma, ["tags": .list(["red"]), "tags\u{0}bogus": "green"])
    try await exchange(phone, foreign)
    #expect(try phone.book("emma")?["tags"] == .list(["blue", "green"]))
    #expect(try phone.book("emma")?.others == ["tags": .list(["red"])])

    // An element under a name that is not its own can be taken out, and be put in properly.
    try phone.save("emma", ["tags": .list(["blue", "green"])])
    #expect(try phone.book("emma")?["tags"] == .list(["blue", "green"]))
    try phone.save("emma", ["tags": .list(["blue"])])
    #expect(try phone.book("emma")?["tags"] == .list(["blue"]))
    try await exchange(phone, foreign)
    #expect(try foreign.registers(of: emma)["tags"] == .list(["red"]))
    #expect(try foreign.registers(of: emma)["tags\u{0}bogus"] == nil)
  }

  @Test func `a copy of a record includes values that are not its fields`() async throws {
    let (phone, foreign) = try await meet(["title": "Emma", "isbn": "1815"])
    try foreign.write(
      emma,
      [
        "page": 12, "isbn": "9999", "rating": "five",
        "code": .map(ValueMap([("isbn", "1815"), ("language", "en")])),
      ])
    try await exchange(phone, foreign)

    let record = try #require(try phone.book("emma"))
    try phone.store.write { transaction in
      var draft = RecordDraft("book", id: "copy", fields: record.fields)
      draft.others = record.others
      try transaction.save(draft)
    }
    #expect(try phone.book("copy")?.fields == record.fields)
    // A value of another type than the field's has no room there.
    #expect(
      try phone.book("copy")?.others
        == ["page": 12, "isbn": "9999", "code": .map(ValueMap([("language", "en")]))])
  }

  @Test func `a deletion and its undoing leave what is foreign as it was`() async throws {
    let (phone, foreign) = try await meet(["title": "Emma", "isbn": "1815"])
    try foreign.write(emma, ["isbn": "9999", "page": 12])
    try await exchange(phone, foreign)
    let before = try #require(try phone.book("emma"))
    try phone.delete("emma")
    try phone.store.write { try $0.restore(emma) }
    let after = try #require(try phone.book("emma"))
    #expect(after.fields == before.fields)
    #expect(after.others == before.others)
  }
}
