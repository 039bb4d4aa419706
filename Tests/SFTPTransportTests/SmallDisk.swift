import RealPlaces

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A disk of 1 MiB, where the system lets the test mount one.
final class SmallDisk: Sendable {
  let path: String

  init?() throws {
    path = try placeFolder()
    guard system("mount -t tmpfs -o size=1m tmpfs '\(path)' 2>/dev/null") == 0 else {
      rmdir(path)
      return nil
    }
  }

  deinit {
    system("umount -l '\(path)'")
    rmdir(path)
  }
}
