import DeviceIdentity
import LocalMachine
import CommandFoundation
import SQLiteStorage
import SyncKit
import Synchronization

/// A local store whose file is made by the first write.
///
/// Until then it is empty. What a store writes when it is opened is kept in memory and becomes the beginning of
/// the file: whoever only reads leaves nothing behind, and needs no disk to write to.
final class UnmadeStorage: Storage {
  private struct State {
    var isOpening = true
    var made: SQLiteStorage?
    var file: FileSignature?
    /// The witness of the store, as long as it has no file to be the witness of.
    var witness: Witness?
    /// Makes what comes before the file; nil once that is done.
    var prepare: (@Sendable () throws -> Void)?
  }

  private let path: String
  private let file: WitnessFile
  private let draft = InMemoryStorage()
  private let state: Mutex<State>

  /// Stands in for a store that is not there.
  ///
  /// - Parameters:
  ///   - path: Where its file will be.
  ///   - witness: Where its witness will be.
  ///   - prepare: Makes what comes before the file: the folder, and the device's own id.
  init(path: String, witness: WitnessFile, prepare: @escaping @Sendable () throws -> Void) {
    self.path = path
    file = witness
    state = Mutex(State(prepare: prepare))
  }

  /// Ends the opening: the next write makes the file.
  func opened() { state.withLock { $0.isOpening = false } }

  /// The file, once there is one.
  var signature: FileSignature? { state.withLock { $0.file } }

  var fingerprint: String? { made?.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    guard let made else { return try draft.read(body) }
    return try made.read(body)
  }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    guard !state.withLock({ $0.isOpening }) else { return try draft.write(body) }
    return try make().write(body)
  }

  private var made: SQLiteStorage? { state.withLock { $0.made } }

  private func make() throws -> SQLiteStorage {
    if let made { return made }
    try state.withLock { $0.prepare }?()
    return try state.withLock { state in
      if let made = state.made { return made }
      let storage = try SQLiteStorage(path: path)
      // Another process may have been quicker; its store is the one then.
      if try storage.write({ try copyDraft(to: $0) }), var witness = state.witness {
        witness.fingerprint = storage.fingerprint
        try file.save(witness)
      }
      (state.made, state.prepare) = (storage, nil)
      state.file = FileSignature(path)
      return storage
    }
  }

  /// Begins an empty store with what was written when it was opened; tells whether it was empty.
  private func copyDraft(to writer: any StorageWriter) throws -> Bool {
    var isEmpty = true
    try writer.scan(.meta, prefix: [], after: nil) { _, _ in
      isEmpty = false
      return false
    }
    guard isEmpty else { return false }
    try draft.read { reader in
      for table in Table.allCases {
        try reader.scan(table, prefix: [], after: nil) { key, value in
          try writer.put(table, key, value)
          return true
        }
      }
    }
    return true
  }
}

extension UnmadeStorage: ContinuityWitness {
  func load() throws -> Witness? {
    guard made == nil else { return try file.load() }
    return state.withLock { $0.witness }
  }

  func save(_ witness: Witness) throws {
    guard made == nil else { return try file.save(witness) }
    state.withLock { $0.witness = witness }
  }
}
