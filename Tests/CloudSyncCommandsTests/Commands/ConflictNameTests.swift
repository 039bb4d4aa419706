import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Conflicts of records with the same id in several trees.
struct ConflictNameTests {
  private let base: TemporaryFolder
  private let machines: [TestMachine]

  init() throws {
    base = try TemporaryFolder()
    machines = [try TestMachine(), try TestMachine()]
  }

  /// Two devices that disagree about the setting `k` of some apps.
  private func disagree(about namespaces: [String]) async throws {
    for machine in machines {
      machine.clock.advance(by: 1_800_000_000_000)
      let made = await machine.run(
        "init", "--yes", "--unencrypted", "--domains", "settings", "--remote",
        "r=file:\(base.path)/remote")
      #expect(made.status == 0, "\(made.error)")
    }
    for namespace in namespaces { await put("1", namespace, on: machines[0]) }
    for machine in machines { #expect(await machine.run("sync").status == 0) }
    for (machine, value) in zip(machines, ["2", "3"]) {
      for namespace in namespaces { await put(value, namespace, on: machine) }
      machine.clock.advance(by: 1_000)
      #expect(await machine.run("sync", "--push-only").status == 0)
    }
    for machine in machines { #expect(await machine.run("sync").status == 0) }
  }

  private func put(_ value: String, _ namespace: String, on machine: TestMachine) async {
    let outcome = await machine.run("settings", "put", "k", value, "--namespace", namespace)
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  @Test func `each has its own name, and a name that fits several resolves none`() async throws {
    try await disagree(about: ["app.x", "app.y"])
    let machine = machines[0]
    let listed = await machine.run("conflicts", "--json").document["conflicts"]?.array ?? []
    let ids = listed.compactMap { $0["id"]?.string }.sorted()
    #expect(ids == ["settings/setting/app.x/k/value", "settings/setting/app.y/k/value"])
    for words in [["show"], ["resolve", "--mine"]] {
      let unclear = await machine.run(["conflicts"] + words + ["settings/setting/k/value"])
      #expect(unclear.status == 64 && unclear.error.contains(ids[1]), "\(unclear.error)")
    }
    #expect(await machine.run("conflicts", "resolve", ids[1], "--mine").status == 0)
    let values = await machine.run("settings", "list", "--json").document["records"]?.array ?? []
    let shown = Dictionary(
      uniqueKeysWithValues: values.map { ($0["parent"]?.string ?? "", $0["fields"]?["value"]) })
    #expect(shown["namespace/app.y"] == 2 && shown["namespace/app.x"] == 3, "\(shown)")
    // The remaining conflict is alone with its name.
    let left = await machine.run("conflicts", "--json").document["conflicts"]?.array ?? []
    #expect(left.map { $0["id"]?.string } == ["settings/setting/k/value"])
    #expect(
      await machine.run("conflicts", "resolve", "settings/setting/k/value", "--mine").status == 0)
  }
}
