import SyncKitFormats
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

/// Twelve ways in which health data went wrong elsewhere, each with the rule that holds here.
struct TrapTests {
  private func pair() throws -> (phone: Household, tablet: Household) {
    let remote = InMemoryTransport()
    let clock = VirtualClock()
    return (
      try Household("phone", meeting: remote, clock: clock),
      try Household("tablet", meeting: remote, clock: clock)
    )
  }

  /// A person on both devices, published from the phone.
  private func shared() async throws -> (phone: Household, tablet: Household) {
    let (phone, tablet) = try pair()
    try phone.add(["personalGivenName": "CANARY-given", "personalAddress": "CANARY-address"])
    try phone.add(.illness, ["name": "CANARY-illness"])
    try phone.setScope(.synced)
    try await sync(phone, tablet)
    #expect(try tablet.tree().entries.count == 1)
    return (phone, tablet)
  }

  @Test func `H1: withdrawing a person leaves none of their fields on the remote`() async throws {
    let (phone, tablet) = try await shared()
    #expect(try await bytes(of: phone.remote).contains("CANARY"))
    try phone.setScope(.local)
    try await sync(phone, tablet, phone)
    #expect(try await !bytes(of: phone.remote).contains("CANARY"))
    #expect(try phone.subject()?["personalGivenName"] == "CANARY-given")
    #expect(try tablet.subject() == nil)
  }

  @Test func `H2: a person who is published again is not deleted by other devices`() async throws {
    let (phone, tablet) = try await shared()
    try phone.setScope(.local)
    try await sync(phone, tablet, phone)
    try phone.setScope(.synced)
    try await sync(phone, tablet, phone, tablet, phone)
    for device in [phone, tablet] {
      #expect(try device.tree().entries.map(\.title) == ["CANARY-illness"])
      #expect(try device.subject()?.scope == .synced)
    }
  }

  @Test func `H3: until the remote has erased a person, the device says so`() async throws {
    let (phone, tablet) = try await shared()
    try phone.setScope(.local)
    #expect(try phone.store.pendingErasures(remotes: ["memory"]).count == 1)
    try await sync(phone, tablet, phone)
    #expect(try phone.store.pendingErasures(remotes: ["memory"]).allSatisfy(\.remotes.isEmpty))
  }

  @Test func `H4: every field of the schema is in every form that is to be complete`() throws {
    // Schema and code are one definition here, so neither can have a field that the other lacks.
    let home = try Household("home")
    var fields: [FieldName: Value] = [:]
    for name in FieldName.subjectTexts { fields[name] = .string("x \(name)") }
    fields["personalBirthdate"] = "1980-02-29"
    try home.add(fields)
    for kind in EntryKind.allCases {
      var own: [FieldName: Value] = [:]
      for field in DomainSchema.health[kind.collection]?.fieldNames ?? [] {
        let type = DomainSchema.health[kind.collection]?.field(field)?.type
        switch (field, type) {
        case ("date", _), ("until", _), ("refillDue", _), ("nextDue", _): own[field] = "2024-01-15"
        case ("createdAt", _), ("otherKeys", _): break
        case ("status", _): own[field] = "stopped"
        case ("comparator", _): own[field] = "<"
        case ("systolic", _): own[field] = 120
        case (_, .double?): own[field] = 80
        case (_, .int?): own[field] = 2024
        default: own[field] = .string("x \(field)")
        }
      }
      try home.add(kind, own)
    }
    for format in [HealthExportFormat.cloud, .fhir, .fhirR5] {
      let other = try Household("other")
      try other.import(try home.export(format))
      try expectSameRecords(other, home)
    }
  }

  @Test func `H5: what two devices add at the same time all survives`() async throws {
    let (phone, tablet) = try await shared()
    try phone.add(.blood, ["name": "120/80 mmHg"])
    try tablet.add(.weight, ["weightKg": 72.5])
    for (device, fields) in [
      (phone, ["personalNickName": "Änni"]), (tablet, ["vetNote": "x"]),
    ] as [(Household, [FieldName: Value])] {
      let key = try #require(try device.subject()).key
      try device.store.write { try $0.edit(key, fields) }
    }
    try await sync(phone, tablet, phone)
    for device in [phone, tablet] {
      #expect(
        try device.tree().entries.map(\.kind.rawValue).sorted() == ["blood", "illness", "weight"])
      #expect(try device.subject()?["personalNickName"] == "Änni")
      #expect(try device.subject()?["vetNote"] == "x")
    }
  }

  @Test(arguments: ["[{\\\"name\\\":", "null-ish", "{}", "[1]"])
  func `H6: entries that cannot be read are a fault, never an empty list`(text: String) throws {
    let file = #"{"uuid":"a-1","isPet":0,"schemaVersion":1,"bloodEntries":"\#(text)"}"#
    let read = try HealthRecordsTests.imported(file)
    #expect(read.faults.count == 1)
    #expect(read.drafts(.blood).isEmpty)
  }

  @Test func `H7: what a crash cut off is fetched again`() async throws {
    let (phone, tablet) = try pair()
    try phone.add(["personalGivenName": "Anna"])
    for index in 0..<5 { try phone.add(.risk, ["name": .string("risk \(index)")]) }
    try phone.setScope(.synced)
    try await sync(phone)
    // The cursor and the received changes are one transaction: a crash keeps both or neither.
    for count in 0..<6 {
      tablet.storage.fail(after: count)
      _ = try? await tablet.engine.syncNow()
    }
    tablet.storage.heal()
    try await sync(tablet)
    #expect(try tablet.tree().entries.count == 5)
  }

  @Test func `H8: no file and no remote can publish a person`() async throws {
    let (phone, tablet) = try pair()
    try phone.import(
      #"{"uuid":"\#(RecordID.anna)","isPet":0,"isCloudEnabled":1,"isSharingEnabled":1,"bloodEntries":"[]"}"#
    )
    #expect(try phone.subject()?.scope == .local)
    try phone.import(try Golden.text("app-person.json"), .anna)
    #expect(try phone.subject()?.scope == .local)
    try tablet.add(["personalGivenName": "Somebody else's edit"])
    try tablet.setScope(.synced)
    try await sync(tablet, phone, tablet)
    let here = try #require(try phone.store.records("subject").filter { $0.scope == .local }.first)
    #expect(here["personalGivenName"] == "Anna")
    #expect(try await !bytes(of: phone.remote).contains("Hypertension"))
  }

  @Test func `H9: no record is found by a query that a shared remote does not answer`() async throws
  {
    // A device learns of every zone from the remote itself; there is no subscription to keep alive.
    let (phone, tablet) = try await shared()
    try phone.add(["isPet": true, "personalName": "Rex"], id: .rex)
    try phone.setScope(.synced, .rex)
    try await sync(phone, tablet)
    #expect(try tablet.subject(.rex)?.scope == .synced)
  }

  @Test func `H10: one fact alone says where a person's records are`() async throws {
    let (phone, tablet) = try await shared()
    #expect(try phone.subject()?.scope == .synced)
    #expect(try phone.tree().entries.allSatisfy { $0.record.scope == .synced })
    #expect(try tablet.tree().entries.allSatisfy { $0.record.scope == .synced })
    try phone.setScope(.local)
    #expect(try phone.tree().entries.allSatisfy { $0.record.scope == .local })
  }

  @Test func `H11: there is no public access to grant`() {
    // Access is a property of a zone's participants; no field and no collection can name the world.
    let names = DomainSchema.health.collections.flatMap {
      [$0.name.text] + $0.fieldNames.map(\.text)
    }
    #expect(names.allSatisfy { !$0.lowercased().contains("world") && !$0.contains("public") })
  }

  @Test func `H12: a long history is many small records`() async throws {
    let (phone, tablet) = try pair()
    try phone.add(["personalGivenName": "Anna"])
    let parent = RecordKey.root("subject", .anna)
    let note = String(repeating: "long ", count: 220)
    let drafts = (0..<1_200).map { index in
      RecordDraft(
        "blood", id: RecordID("b\(index)"), parent: parent,
        fields: ["name": .string("reading \(index)"), "comment": .string(note)])
    }
    // More than the megabyte that one record may have.
    _ = try phone.store.importAll(drafts)
    try phone.setScope(.synced)
    try await sync(phone, tablet)
    #expect(try tablet.tree().entries.count == 1_200)
  }

  /// Every byte on a remote, raw and decompressed.
  private func bytes(of remote: InMemoryTransport) async throws -> String {
    try await remote.everything()
  }
}
