#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// cloudsync-fuzz: feeds every decoder and parser with unexpected inputs.
//
//   cloudsync-fuzz list                            the targets
//   cloudsync-fuzz samples CORPUS                  writes good inputs for each target
//   cloudsync-fuzz replay CORPUS [TARGET…]         feeds the files in the folders of the targets
//   cloudsync-fuzz mutate CORPUS SECONDS [TARGET…] changes these at random, without coverage
//   cloudsync-fuzz TARGET [OPTIONS AND FOLDERS OF LIBFUZZER]  only as Tools/fuzz-targets builds it

do {
  try FuzzCommand(Array(CommandLine.arguments.dropFirst())).run()
} catch let failure as FuzzFailure {
  print(failure.message)
  exit(64)
}
