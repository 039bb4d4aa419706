import SyncKitFormats
public import SyncKit

/// The settings of one app on one machine, for an app or a tool to read and write.
///
/// ```
/// let settings = AppSettings("com.example.app", in: store, on: machine)
/// try settings.set("appFont", to: .string("Menlo"))
/// let font = try settings.value(of: "appFont")
/// ```
///
/// Reading has no side effects: the values that apply are computed from the stored ones, and nothing is
/// copied.
public struct AppSettings: Sendable {
  /// The namespace.
  public let namespace: String
  /// The store, of the domain ``SettingsDomain``.
  public let store: SyncStore
  /// The machine.
  public let machine: SettingsMachine
  /// The keys that this device publishes; empty for all.
  public var include: [KeyPattern] = []
  /// The keys that this device keeps to itself.
  public var exclude: [KeyPattern] = []

  /// Opens the settings of an app.
  public init(_ namespace: String, in store: SyncStore, on machine: SettingsMachine) {
    self.namespace = namespace
    self.store = store
    self.machine = machine
  }

  /// All settings at this moment, by the rules of the namespace and of this device.
  public func snapshot() throws -> SettingsSnapshot {
    var snapshot = try store.settings(of: namespace)
    snapshot.namespace.localKeys += exclude
    snapshot.namespace.publishes = include
    return snapshot
  }

  /// The value that applies; nil for one that is unset and has no default.
  public func value(of key: String) throws -> SettingValue? {
    try snapshot().value(of: key, on: machine)?.value
  }

  /// Sets a key on all devices, or on this one if it may not leave it.
  ///
  /// - Returns: The place of the value.
  /// - Throws: ``SyncError`` `input.invalid` for a value that violates the declaration,
  ///   `settings.quota`.
  @discardableResult
  public func set(_ key: String, to value: SettingValue) throws -> KeyPlacement {
    let snapshot = try snapshot()
    let placement = snapshot.namespace.placement(of: key, value: value)
    try store.write { _ = try snapshot.setting(key, to: value).run($0, over: snapshot) }
    return placement
  }

  /// Resets a key to its default, on every device.
  public func reset(_ key: String) throws {
    try store.write(
      SettingsEdit(namespace, edits: [key: nil], local: [key: nil]))
  }

  // MARK: The app's file

  /// The plan of a capture; with `isAnew` as if the file were read for the first time.
  public func plan(
    of file: SettingsFile, from source: String, precedence: CapturePlan.Precedence = .file,
    isAnew: Bool = false
  ) throws -> (plan: CapturePlan, edit: SettingsEdit, snapshot: SettingsSnapshot) {
    let snapshot = try snapshot()
    let plan = CapturePlan(
      file: snapshot.values(of: file), texts: file.texts, namespace: snapshot.namespace,
      stored: (synced: snapshot.synced, local: snapshot.local),
      unreadable: Set(file.unreadable.keys),
      baseline: isAnew ? nil : snapshot.baselines[source], precedence: precedence)
    var edit = SettingsEdit(namespace, edits: plan.edits, local: plan.localEdits)
    edit.baseline = (source, plan.baseline)
    return (plan, edit, snapshot)
  }

  /// Captures the changes that an app has made in its file since the last time.
  ///
  /// - Parameters:
  ///   - file: The file as it is now.
  ///   - source: The file's path, or another stable name.
  ///   - precedence: The side that wins the first time.
  /// - Returns: The plan, with captured values and those that were not.
  /// - Throws: ``SyncError`` `settings.quota`; then nothing is written.
  @discardableResult
  public func capture(
    _ file: SettingsFile, from source: String, precedence: CapturePlan.Precedence = .file
  ) throws -> CapturePlan {
    let (plan, edit, snapshot) = try plan(of: file, from: source, precedence: precedence)
    try store.write { _ = try edit.run($0, over: snapshot) }
    return plan
  }

  /// Writes the values that apply into an app's file, except where the app itself has changed it.
  ///
  /// The caller writes the file, reads it back, and then calls ``noteApplied(_:file:source:)``.
  public func apply(
    to file: inout SettingsFile, source: String, isForced: Bool = false
  ) throws -> ApplyPlan {
    let snapshot = try snapshot()
    var plan = ApplyPlan(
      wanted: snapshot.values(on: machine), file: snapshot.values(of: file), texts: file.texts,
      namespace: snapshot.namespace, unreadable: file.unreadable,
      baseline: snapshot.baselines[source], isForced: isForced)
    plan.leave(file.edit(plan.edits))
    return plan
  }

  /// Records the state of a file after it was written; for keys that were left alone, the state before.
  ///
  /// The file has to be read back: a format may store less of a value than was written.
  public func noteApplied(_ plan: ApplyPlan, file: SettingsFile, source: String) throws {
    let snapshot = try snapshot()
    let seen = CapturePlan(
      file: snapshot.values(of: file), texts: file.texts, namespace: snapshot.namespace,
      stored: (synced: [:], local: [:]), baseline: nil)
    var baseline = seen.baseline
    for key in plan.left {
      baseline.keep(key, from: snapshot.baselines[source] ?? SettingsBaseline())
    }
    var edit = SettingsEdit(namespace)
    edit.baseline = (source, baseline)
    try store.write { _ = try edit.run($0, over: snapshot) }
  }

  /// The differences between an app's file and the store.
  public func differences(of file: SettingsFile, source: String) throws -> [SettingDifference] {
    let snapshot = try snapshot()
    return SettingDifference.all(
      file: snapshot.values(of: file), texts: file.texts, wanted: snapshot.values(on: machine),
      namespace: snapshot.namespace, unreadable: Set(file.unreadable.keys),
      baseline: snapshot.baselines[source])
  }
}

extension SettingsSnapshot {
  /// The settings of a file, in the types that they have elsewhere where the format has none.
  func values(of file: SettingsFile) -> [String: SettingValue] {
    file.values { key in
      namespace.declaration.settings[key]?.kind ?? synced[key]?.kind ?? local[key]?.kind
    }
  }

  /// The write that sets a key where it belongs.
  ///
  /// A value for all devices replaces one for this device alone.
  public func setting(_ key: String, to value: SettingValue) -> SettingsEdit {
    switch namespace.placement(of: key, value: value) {
    case .synced:
      SettingsEdit(
        namespace.name,
        edits: [key: namespace.declaration.isFallback(value, of: key) ? nil : value],
        local: local[key] == nil ? [:] : [key: nil])
    case .local, .left: SettingsEdit(namespace.name, local: [key: value])
    }
  }
}
