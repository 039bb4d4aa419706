import ArgumentParser
import CommandFoundation
import SyncKit

/// `cloudsync <domain>`: every generic verb, from the schema alone.
///
/// A domain's own verb replaces the generic one of the same name.
struct DomainCommand<D: DomainRegistration>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: name, abstract: D.abstract,
      discussion: examples(
        "cloudsync \(name) list", "cloudsync \(name) \(D.example.add)",
        "cloudsync \(name) export backup.json"),
      subcommands: verbs)
  }

  /// The generic verbs, some replaced by the domain's own, then the domain's other verbs.
  ///
  /// The name of a command is part of its configuration, which takes a while to make: each is made once.
  private static var verbs: [any ParsableCommand.Type] {
    var own = D.verbs.map { (name: $0._commandName, verb: $0) }
    let generic = generic.map { verb in
      let name = verb._commandName
      return own.firstIndex { $0.name == name }.map { own.remove(at: $0).verb } ?? verb
    }
    return generic + own.map { $0.verb }
  }

  private static var generic: [any ParsableCommand.Type] {
    [
      RecordList<D>.self, RecordSearch<D>.self, RecordShow<D>.self, RecordAdd<D>.self,
      RecordSet<D>.self, RecordFields<D>.self, RecordRemove<D>.self,
      RecordRestore<D>.self, RecordImport<D>.self, RecordExport<D>.self, RecordStats<D>.self,
      RecordHistory<D>.self, RecordConflicts<D>.self,
      DomainSync<D>.self, DomainStatusCommand<D>.self, DomainCompact<D>.self,
    ] + (D.hasRoots ? [RecordScope<D>.self] : [])
      + (D.sharedNoun == nil ? [] : [RecordShare<D>.self])
  }
}

extension DomainRegistry {
  /// A command for each domain.
  static var commands: [any ParsableCommand.Type] {
    func command<D: DomainRegistration>(_ type: D.Type) -> any ParsableCommand.Type {
      DomainCommand<D>.self
    }
    return all.map { command($0) }
  }
}
