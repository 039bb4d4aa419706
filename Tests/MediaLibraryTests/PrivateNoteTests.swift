import SyncKit
import SyncKitTesting
import Testing

@testable import MediaLibrary

/// Notes that never leave the device.
struct PrivateNoteTests {
  /// The content of a remote after two days of work, with or without private notes.
  private func remoteBytes(withNotes: Bool) async throws -> [[UInt8]] {
    let remote = InMemoryTransport()
    let device = try FilmLover("laptop", meeting: remote)
    device.set(time: FilmLover.start, seed: 1)
    let list = try device.list("Weekend")
    device.set(time: FilmLover.start + 1_000, seed: 2)
    let matrix = try device.item("The Matrix", in: list)
    if withNotes {
      device.set(time: FilmLover.start + 2_000, seed: 99)
      try device.store.write { _ = try $0.note("nobody", on: matrix, isPrivate: true) }
      try device.store.write { _ = try $0.note("ever", on: matrix, isPrivate: true) }
    }
    device.set(time: FilmLover.start + 3_000, seed: 3)
    try await sync(device)
    if withNotes {
      device.set(time: FilmLover.start + 4_000, seed: 98)
      for note in try device.library.privateNotes(of: matrix) {
        try device.store.write { try $0.edit(note.key, ["text": "still nobody"]) }
      }
      try await sync(device)
    }
    device.set(time: FilmLover.start + 5_000, seed: 4)
    try device.store.write { _ = try $0.note("everybody", on: matrix) }
    device.set(time: FilmLover.start + 6_000, seed: 5)
    try await sync(device)
    var bytes: [[UInt8]] = []
    for reference in try await remote.inventory(of: "media").segments {
      bytes += try await remote.fetch(reference, of: "media").map { [$0.bytes] } ?? []
    }
    return bytes
  }

  @Test func `a remote holds the same bytes with and without them`() async throws {
    let (with, without) = (
      try await remoteBytes(withNotes: true), try await remoteBytes(withNotes: false)
    )
    #expect(!without.isEmpty)
    #expect(with == without)
  }

  @Test func `they can be edited, deleted and brought back like any note`() throws {
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    let matrix = try device.item("The Matrix", in: list)
    let key = try device.store.write { try $0.note("a", on: matrix, isPrivate: true) }.result
    #expect(key.zone == .local)
    try device.store.write { try $0.edit(key, ["text": "b"]) }
    try device.store.write { try $0.delete(key) }
    #expect(try device.library.privateNotes(of: matrix).isEmpty)
    try device.store.write { try $0.restore(key) }
    #expect(try device.library.privateNotes(of: matrix).map { $0["text"].string } == ["b"])
  }

  @Test func `one undo takes back what a batch did in several zones`() async throws {
    let device = try FilmLover("laptop", meeting: InMemoryTransport())
    let (_, summary) = try device.store.write { transaction in
      for name in ["A", "B", "C"] {
        let list = try transaction.save(RecordDraft("list", fields: ["name": .string(name)])).key
        let item = try transaction.save(
          RecordDraft("item", parent: list, fields: ["title": .string(name)])
        ).key
        _ = try transaction.note("mine", on: item, isPrivate: true)
      }
    }
    try await sync(device)
    _ = try device.store.undo(#require(summary.batch))
    #expect(try device.library.lists.isEmpty)
    #expect(try device.store.records("privateNote").isEmpty)
  }
}
