import LocalMachine

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder of mode 0700 for files that are needed for a moment; gone with the value.
package final class ScratchFolder {
  package let path: String

  /// Makes one below a folder, on its file system, so that what is in it can be moved there.
  package init(in folder: String) throws(SystemError) {
    let mark = String(UInt32.random(in: .min ... .max), radix: 36)
    path = LocalFolder.path(folder, ".scratch-\(getpid())-\(mark)")
    try LocalFolder.create(path)
  }

  deinit {
    for name in (try? LocalFolder.names(in: path, ending: "")) ?? [] {
      LocalFile.discard(LocalFolder.path(path, name))
    }
    rmdir(path)
  }
}
