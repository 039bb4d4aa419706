import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit

/// The command `cloudsync settings put KEY VALUE`.
struct SettingsPut: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Set the value of a setting.",
    discussion: examples(
      "cloudsync settings put appFont Menlo --namespace com.example.app",
      "cloudsync settings put zip 01234 --type string",
      "cloudsync settings put fontSize 14.0 --when os=macos",
      "cloudsync settings put scale 2.0 --here",
      after: """
        The type is that of --type, else the one that the app declares, else the one that the setting \
        has, if the value can be of it, else what the value looks like: true, 1, 1.0, [1, 2], \
        {"a": 1}; anything else is text. Setting a declared setting to its default unsets it. Local \
        keys and values that look like secrets stay on this device, with a warning.
        """))

  @Argument(help: "The key.", completion: settingCompletion) var key: String
  @Argument(help: "The value; dates as RFC 3339, data as base64.") var value: String
  @Option(
    help: ArgumentHelp(
      "Its type: \(SettingValue.Kind.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "type"))
  var type: SettingValue.Kind?
  @Option(
    help: ArgumentHelp(
      "Only for machines such as os=macos, host=studio, device=phone, profile=work.",
      valueName: "property=value"))
  var when: SettingCondition?
  @Flag(help: "Only on this device.")
  var here = false
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard when == nil || !here else {
      throw ValidationError("--when and --here cannot be combined")
    }
  }

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.settings.put/1", isRehearsal: change.dryRun) {
      let settings = try namespace.settings(
        Session(context), mayBeNew: true, isRehearsal: change.dryRun)
      let snapshot = try settings.snapshot()
      let value = try value(over: snapshot)
      var edit = snapshot.setting(key, to: value)
      var warnings: [String] = []
      if here {
        edit = SettingsEdit(settings.namespace, local: [key: value])
      } else {
        switch snapshot.namespace.placement(of: key, value: value) {
        case .synced:
          if let when {
            edit = SettingsEdit(settings.namespace)
            edit.overrides = [(key, when, value)]
          }
        case .local(let reason), .left(let reason):
          warnings.append("'\(key)' stays on this device: \(reason)")
        }
      }
      var result = try WriteResult(
        edit, over: snapshot, in: settings.store, isRehearsed: change.dryRun)
      if result.added + result.changed + result.deleted == 0 { result.unchanged = 1 }
      result.warnings += warnings
      let guessed = SettingValue(typed: self.value)?.kind
      if type == nil, snapshot.namespace.declaration.settings[key] == nil, let guessed,
        guessed != value.kind
      {
        result.notes.append(
          "'\(Sanitized.line(key))' is of type \(value.kind.rawValue) and stays so; --type "
            + "\(guessed.rawValue) changes it")
      }
      return result
    }
  }

  /// Whether a setting of a type keeps it under this value: not where that would lose digits, and a list or a
  /// dictionary is no text.
  private func keeps(_ known: SettingValue.Kind) -> Bool {
    switch SettingValue(typed: value) {
    case .array, .dict: false
    case .int(let number): known != .double || number.magnitude <= 1 << 53
    case .uint, .decimal: known != .double
    default: true
    }
  }

  /// The typed value: in the requested or declared type, else in that which the setting has.
  private func value(over snapshot: SettingsSnapshot) throws -> SettingValue {
    let kind = type ?? snapshot.namespace.declaration.settings[key]?.kind
    let known = snapshot.synced[key]?.kind ?? snapshot.local[key]?.kind
    if kind == nil, let known, keeps(known), let same = SettingValue(typed: value, as: known) {
      return same
    }
    guard let value = SettingValue(typed: value, as: kind) else {
      throw SyncError(
        .inputInvalid,
        "'\(Sanitized.line(key))' takes a value of type \(kind?.rawValue ?? "string"), not "
          + "'\(Sanitized.line(value))'")
    }
    return value
  }
}

extension SettingValue.Kind: ExpressibleByArgument {}

extension SettingCondition: ExpressibleByArgument {
  /// Reads `property=value`.
  public init?(argument: String) { self.init(argument) }
}
