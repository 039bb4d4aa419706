import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc

@Test func `a command finds its words under a library that has moved the environment`()
  async throws
{
  let device = try TestDevice()
  let (source, library) = (device.path("shim.c"), device.path("shim.so"))
  let text = """
    #include <stdlib.h>
    __attribute__((constructor)) static void begin(void) { setenv("CANARY", "1", 1); }
    """
  try Files.write(Array(text.utf8), to: source)
  let compilers: [String] = ["/usr/bin/cc", "/usr/bin/clang"]
  let compiler = compilers.first { access($0, X_OK) == 0 }
  guard let compiler else { return }
  let built = try await CommandRunner.run(
    ["-shared", "-fPIC", "-o", library, source], program: compiler,
    environment: ["PATH": "/usr/bin:/bin", "HOME": device.home], folder: device.home)
  try #require(built.status == 0, "\(built.error)")
  let shim = ["LD_PRELOAD": library]
  let version = try await device.run("version", "--json", variables: shim)
  #expect(version.status == 0 && version.document["schema"] != nil, "\(version.output)")
  #expect(try await device.run("sync", variables: shim).status == 78)
}
#endif

@Test func `a device can be set up without a remote, and given one later`() async throws {
  let device = try TestDevice()
  #expect(
    try await device.run("init", "--yes", "--unencrypted", "--domains", "airports,bike").status == 0
  )
  #expect(
    try await device.run("init", "--yes", "--unencrypted", "--domains", "airports,bike").status == 0
  )
  let document = try await device.json("config", "validate")
  #expect(document["valid"]?.bool == true)
  _ = try await device.json("airports", "add", "ZRH", "LSZH")
  #expect(try await device.run("sync").status == 0)
  _ = try await device.json(
    "remote", "add", "--unencrypted", "folder", "file:\(device.path("shared"))")
  let jobs = try await device.json("sync")["jobs"]?.array ?? []
  #expect(jobs.compactMap { $0["domain"]?.string } == ["airports", "bike"])
  #expect(jobs.first?["pushed"]?.int == 1)
}
