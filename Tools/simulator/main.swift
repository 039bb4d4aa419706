import SyncKitTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// cloudsync-sim: runs simulated worlds by seed, and ends non-zero at the first failure.

do {
  let arguments = try SimulatorArguments(Array(CommandLine.arguments.dropFirst()))
  if arguments.wantsHelp {
    print(SimulatorArguments.help)
  } else {
    try await SimulatorRun(arguments).run()
  }
} catch let error as SimulatorFailure {
  print(error.message)
  exit(error.status)
}
