import SyncKitFormats
import SyncKit
import Testing

@testable import BikeService

/// The app's own data, in its present and in its old form.
struct AppDataTests {
  static let present = """
    {"bikes": [{"id": "b1", "name": "Trail", "distance": 12345.6, "detectedType": "hardtail"}],
     "athlete": {"id": 7, "firstname": "Ada"},
     "tokenInfo": {"accessToken": "geheim", "refreshToken": "auch", "expiresAt": 9999999999},
     "activities": [{"id": 11, "gearId": "b1", "name": "Ride", "type": "Ride", "movingTime": 3600,
       "startDate": "2024-01-15T07:30:00Z", "distance": 20000, "averageSpeed": 5.5, "processed": true},
       {"id": 12, "gearId": "defaultGearId", "type": "Ride", "movingTime": 60, "startDate": 1705303800}],
     "serviceIntervals": [
      {"id": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "bikeId": "b1", "part": "Chain",
       "templateId": "chain", "intervalTime": 5, "lastServiceDate": "2024-01-01T00:00:00Z",
       "lastNotificationDate": "2024-01-10T00:00:00Z", "notify": true,
       "serviceRecords": [{"id": "11111111-8B86-D011-B42D-00CF4FC964FF",
         "date": "2024-01-01T00:00:00Z", "isReset": true, "note": "waxed"}]},
      {"id": "7F9619FF-8B86-D011-B42D-00CF4FC964FF", "bikeId": "b2", "part": "Own", "intervalTime": 9.5}],
     "serviceRecords": [{"id": "22222222-8B86-D011-B42D-00CF4FC964FF", "isReset": false,
       "date": "2024-02-01T00:00:00Z", "serviceInterval": "7F9619FF-8B86-D011-B42D-00CF4FC964FF"}]}
    """

  private func rows(_ text: String) throws -> ImportedRecords {
    try #require(try BikeDomain().importRecords(Array(text.utf8), format: "json"))
  }

  @Test func `intervals and their log are read, and reading them again changes nothing`() throws {
    let rider = try Rider("a")
    for expected in [5, 0] {
      let found = try rows(Self.present)
      #expect(found.faults.isEmpty)
      #expect(try rider.bikes.importAll(found.rows.map(\.draft)).added == expected)
    }
    let chain = try #require(try rider.bikes.record("interval", "b1-chain"))
    #expect(chain["intervalTime"] == 5.0 && chain["notify"] == true)
    #expect(chain["lastServiceDate"] == .instant(1_704_067_200_000))
    #expect(chain["lastNotified"] == .instant(1_704_844_800_000))
    let own = try #require(
      try rider.bikes.record("interval", "7f9619ff-8b86-d011-b42d-00cf4fc964ff"))
    #expect(own["bikeId"] == "b2" && own["intervalTime"] == 9.5)
    let log = try rider.bikes.records("serviceRecord")
    #expect(Set(log.map { $0.parent }) == [chain.key, own.key])
  }

  @Test func `rides go to the local store, and the token goes nowhere`() throws {
    let rider = try Rider("a")
    let files = [RideFile(path: "app.json") { Array(Self.present.utf8) }]
    let found = try RideImport(files, names: GearNames())
    #expect(found.records.faults.isEmpty)
    _ = try rider.rides.importAll(found.records.rows.map(\.draft))
    #expect(try rider.rides.record("activity", "11")?["movingTime"] == 3_600)
    #expect(try rider.rides.record("activity", "12")?["gearId"] == .null)
    #expect(try rider.rides.record("gear", "b1")?["distance"] == 12_345.6)
    #expect(try rider.rides.record("athlete", "7")?["firstname"] == "Ada")
    for type in ["activity", "gear", "athlete"] as [CollectionName] {
      for record in try rider.rides.records(type) {
        #expect(!record.fields.values.contains("geheim") && !record.fields.values.contains("auch"))
      }
    }
  }

  @Test func `in the old form the relation to a bike becomes its id, once`() throws {
    let rider = try Rider("a")
    let old = """
      {"serviceIntervals": [
        {"id": "a1", "bike": {"id": "b1", "name": "Trail"}, "part": "Chain", "intervalTime": 5},
        {"id": "a2", "bike": "b2", "part": "Fork", "intervalTime": 10},
        {"id": "a3", "bikeId": "b3", "bike": {"id": "b1"}, "part": "Post", "intervalTime": 100},
        {"id": "a4", "bike": null, "part": "Lost", "intervalTime": 1}]}
      """
    let found = try rows(old)
    #expect(found.faults.map(\.row) == [4])
    #expect(found.faults[0].message.contains("neither bikeId nor bike"))
    #expect(try rider.bikes.importAll(found.rows.map(\.draft)).added == 3)
    let digests = try rider.bikes.verify().map(\.digest)
    #expect(
      try rider.bikes.records("interval").map { $0["bikeId"] }.sorted(by: Value.precedes)
        == ["b1", "b2", "b3"])
    #expect(try rider.bikes.importAll(try rows(old).rows.map(\.draft)).unchanged == 3)
    // What it was migrated to is read as well, and is the same.
    let new = old.replacing(#""bike": {"id": "b1", "name": "Trail"}"#, with: #""bikeId": "b1""#)
    #expect(try rider.bikes.importAll(try rows(new).rows.map(\.draft)).unchanged == 3)
    #expect(try rider.bikes.verify().map(\.digest) == digests)
  }

  @Test func `an interval of a template that two devices made apart is one, with the later date`()
    throws
  {
    let rider = try Rider("a")
    let text = """
      {"serviceIntervals": [
        {"id": "x", "bikeId": "b1", "part": "Chain", "templateId": "chain", "intervalTime": 5,
         "lastServiceDate": 1705303800},
        {"id": "y", "bikeId": "b1", "part": "Chain", "templateId": "chain", "intervalTime": 5,
         "lastServiceDate": 1704303800}]}
      """
    _ = try rider.bikes.importAll(try rows(text).rows.map(\.draft))
    let intervals = try rider.bikes.records("interval")
    #expect(intervals.map { $0["lastServiceDate"] } == [.instant(1_705_303_800_000)])
  }

  @Test(arguments: [
    #"{"serviceIntervals": [{"id":"a","bikeId":"b1","part":"C","intervalTime":"five"}]}"#,
    #"{"serviceIntervals": [{"id":"a","bikeId":"b1","part":"C","intervalTime":1,"lastServiceDate":1e300}]}"#,
    #"{"serviceIntervals": ["x"]}"#, #"{"serviceIntervals": {}}"#,
    #"{"serviceRecords": [{"id":"r","date":"2024-01-01T00:00:00Z","serviceInterval":"none"}]}"#,
    #"{"serviceIntervals": [{"id":"a","bikeId":"b1","serviceRecords":[{"date":1}]}]}"#,
    #"{"bikes": [{"name":"x"}]}"#,
  ])
  func `what does not fit is a fault of its own`(text: String) throws {
    #expect(try rows(text).faults.count == 1)
  }

  @Test func `another kind of JSON is not the app's`() throws {
    #expect(try BikeDomain().importRecords(Array(#"{"records": []}"#.utf8), format: "json") == nil)
    #expect(try BikeDomain().importRecords(Array("[]".utf8), format: nil) == nil)
    #expect(throws: SyncError.self) {
      try BikeDomain().importRecords(Array("{".utf8), format: "json")
    }
  }
}
