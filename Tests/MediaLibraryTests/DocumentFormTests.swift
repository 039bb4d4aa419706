import MediaLibrary
import ReadableDocuments
import SyncKit
import Testing

/// The form of records in the app's file.
@Suite struct DocumentForm {
  private let document = MediaDocument()

  private func item(_ fields: [FieldName: Value], id: RecordID = "movie-949-abc") -> DocumentRecord
  {
    DocumentRecord(
      "item", id: id, fields: fields, created: 1_700_000_000_123, modified: 1_750_000_000_999,
      device: "laptop")
  }

  @Test func `an item has the names of both forms, and what a strict reader needs`() {
    let object = document.write(
      item(["title": "Heat", "mediaType": "movie", "tmdbId": 949, "rating": 4.0, "scale": 5]))
    #expect(object["title"] == "Heat" && object["tmdbId"] == 949)
    #expect(object["rating"] == 8 && object["userRating"] == 8)
    #expect(object["deleted"] == false && object["deletedAt"] == nil)
    #expect(object["watched"] == false && object["watchedDate"] == Value.null)
    #expect(object["watchStatus"] == 1 && object["voteCount"] == 0 && object["order"] == 0)
    #expect(object["createdAt"] == "2023-11-14T22:13:20Z")
    #expect(object["updatedAt"] == "2025-06-15T15:06:40Z")
    #expect(object["deviceID"] == "laptop")
    #expect(object["id"]?.string?.count == 36)
  }

  @Test func `what is written reads back as the same`() throws {
    let fields: [FieldName: Value] = [
      "title": "Heat", "mediaType": "movie", "tmdbId": 949, "year": 1995, "rating": 8.5,
      "scale": 10, "watched": true, "watchedDate": .instant(1_750_000_000_000),
      "genres": .list(["Crime", "Drama"]), "isFavorite": true, "likedStatus": -1,
      "releaseDate": "1995-12-15", "order": .string(OrderKey(position: 2.5).text),
      "extra": .map(ValueMap([("director", "Mann")])),
    ]
    let object = document.write(item(fields))
    let back = try document.read(object, of: "item", in: "list-1", over: object)
    for (name, value) in fields { #expect(back.fields[name] == value, "\(name)") }
    #expect(back.published == object["id"]?.string)
  }

  @Test func `defaults of the app in a new record are nothing`() throws {
    let object = ValueMap([
      ("id", "11111111-2222-4333-8444-555555555555"), ("title", "Heat"), ("mediaType", "movie"),
      ("tmdbId", 949), ("watchStatus", 1), ("isFavorite", false), ("year", 0), ("order", 0),
      ("updatedAt", 700_000_000), ("rating", .null),
    ])
    let record = try document.read(object, of: "item", in: "list-1", over: nil)
    #expect(
      Set(record.fields.keys) == ["title", "mediaType", "tmdbId", "appId"])
    #expect(record.id.text.hasPrefix("movie-949-"))
    #expect(record.modified == 1_678_307_200_000)
  }

  @Test(arguments: [0.0, 1, 61, 62, 63, 1.5, -1, -62, -63.25, 3_905, 3_906, 250_000.125])
  func `an order goes through the file and back`(position: Double) throws {
    let key = OrderKey(position: position).text
    let object = document.write(item(["order": .string(key)]))
    #expect(object["order"] == (Int64(exactly: position).map { .int($0) } ?? .double(position)))
    let back = try document.read(object, of: "item", in: "l", over: object)
    #expect(back.fields["order"] == .string(key))
  }

  @Test(arguments: [
    ("id", Value.null), ("updatedAt", "yesterday"), ("watchStatus", "often"), ("watched", "yes"),
    ("title", 7), ("genres", .list([1])), ("updatedAt", .double(.infinity)), ("tmdbId", 1.5),
  ])
  func `a value that makes no sense is refused and named`(key: String, value: Value) {
    var object = ValueMap([("id", "x"), ("title", "Heat")])
    object[FieldName(key)] = value
    let error = #expect(throws: SyncError.self) {
      try document.read(object, of: "item", in: "l", over: nil)
    }
    #expect(error?.code == .inputInvalid && error?.message.contains(key) == true)
  }

  @Test func `of two ratings the one that was changed counts`() throws {
    let base = document.write(item(["rating": 8.0, "scale": 10]))
    for key: FieldName in ["rating", "userRating"] {
      var object = base
      object[key] = 3
      let back = try document.read(object, of: "item", in: "l", over: base)
      #expect(back.fields["rating"] == 3.0)
    }
  }
}
