import CommandFoundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// Output without a reader.
struct ByteSinkTests {
  @Test func `a closed reader is not an error`() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    let stream = ByteSink(descriptor: ends[1], isBuffered: false)
    stream.write("one")
    #expect(stream.isAbandoned)
    #expect(stream.failure == nil)
    stream.write("two")
    stream.flush()
    close(ends[1])
  }

  @Test func `a full disk is an error`() {
    let device = open("/dev/full", O_WRONLY)
    guard device >= 0 else { return }
    let stream = ByteSink(descriptor: device, isBuffered: true)
    stream.write("one")
    #expect(stream.failure == nil)
    stream.flush()
    #expect(stream.failure == ENOSPC && !stream.isAbandoned)
    close(device)
  }

  @Test func `a run whose output cannot be written ends with 74`() async throws {
    let device = open("/dev/full", O_WRONLY)
    guard device >= 0 else { return }
    var terminal = try TestMachine().terminal()
    terminal.output = ByteSink(descriptor: device, isBuffered: true)
    let status = await CommandRun(CloudSync.self).run(["cloudsync", "version"], on: terminal)
    #expect(status == 74)
    #expect(terminal.error.text.contains("cannot write the output"))
    close(device)
  }

  @Test func `everything written arrives in order`() throws {
    let folder = try TemporaryFolder()
    let file = open("\(folder.path)/out", O_WRONLY | O_CREAT, 0o600)
    let stream = ByteSink(descriptor: file, isBuffered: true)
    let lines = (0..<20_000).map { "line \($0)\n" }
    for line in lines { stream.write(line) }
    stream.flush()
    close(file)
    #expect(try folder.read("out") == lines.joined())
  }
}
