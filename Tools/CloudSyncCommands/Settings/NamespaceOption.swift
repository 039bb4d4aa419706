import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The option for the app's namespace.
struct NamespaceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app's namespace; by default the only one.", valueName: "name"),
    completion: namespaceCompletion)
  var namespace: String?

  /// The chosen namespace.
  ///
  /// Without the option it is the only one, or `default` while there is none.
  ///
  /// - Throws: ``SyncError`` `usage` when there are several, `record.not-found` for one that does not
  ///   exist and must not be created.
  func name(in store: SyncStore, mayBeNew: Bool) throws -> String {
    let known = try store.settingsNamespaces()
    guard let namespace else {
      guard known.count <= 1 else {
        throw SyncError(
          .usage, "there are several namespaces: \(known.joined(separator: ", "))",
          hint: "choose one with --namespace")
      }
      return known.first ?? "default"
    }
    guard SettingsNamespace.isName(namespace) else {
      throw SyncError(
        .inputInvalid, "'\(Sanitized.line(namespace))' is not a valid name of a namespace",
        hint: "use letters, digits, '.', '-' and '_', as in com.example.app")
    }
    guard mayBeNew || known.contains(namespace) else {
      throw SyncError(
        .notFound, "there is no namespace '\(namespace)'",
        hint: NearestName.hint(for: namespace, among: known))
    }
    return namespace
  }

  /// The app's settings on this machine, including the rules of this device.
  func settings(
    _ session: Session, mayBeNew: Bool, isRehearsal: Bool = false
  ) throws -> AppSettings {
    let store = try session.store(SettingsRegistration.domain.name, isRehearsal: isRehearsal)
    return try session.settings(name(in: store, mayBeNew: mayBeNew), in: store)
  }
}

extension Session {
  /// The settings of an app on this machine.
  func settings(_ namespace: String, in store: SyncStore) throws -> AppSettings {
    #if os(macOS)
    let os = "macos"
    #elseif os(Windows)
    let os = "windows"
    #else
    let os = "linux"
    #endif
    let request = context.directoryRequest
    let machine = SettingsMachine(
      os: os, host: HostName.current, device: try device().name,
      profile: request.namedProfile ?? "")
    var settings = AppSettings(namespace, in: store, on: machine)
    let rules = configuration[domain: SettingsRegistration.domain.name]
    settings.include = (rules?.include ?? []).map { KeyPattern($0) }
    settings.exclude = (rules?.exclude ?? []).map { KeyPattern($0) }
    return settings
  }
}

/// The names of namespaces that begin with the word.
let namespaceCompletion = CompletionKind.custom { words, _, prefix in
  guard let session = try? Session(completing: words),
    let store = try? session.store(SettingsRegistration.domain.name)
  else { return [] }
  return ((try? store.settingsNamespaces()) ?? []).filter { $0.hasPrefix(prefix) }
}
