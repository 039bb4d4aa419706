import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells a file from its copies.
public enum FileIdentity {
  /// A text that changes when the file is copied, restored or moved to another machine.
  ///
  /// It is made of the machine's id, the file's number and its time of birth. Writing into the file
  /// and renaming it keep it; so does writing an older content over it in place, which the number of
  /// the last sealed change has to tell. An inode number alone is not enough: a file system hands
  /// that of a deleted file to the next one.
  ///
  /// - Returns: 26 characters of base32; nil when there is no file to look at.
  public static func fingerprint(ofFileAt path: String) -> String? {
    fingerprint(path, nil)
  }

  /// The same for a file with a number of its own.
  static func fingerprint(_ path: String, _ seed: UInt64?) -> String? {
    guard !path.utf8.contains(0), let entry = try? POSIX.entry(path) else { return nil }
    var parts = ByteWriter()
    parts.write(block: machine())
    parts.write(fixed: entry.inode)
    parts.write(fixed: UInt64(bitPattern: entry.birth))
    if let seed { parts.write(fixed: seed) }
    return parts.bytes.withUnsafeBytes { DeflateSegmentCoding().hash([$0]).description }
  }

  /// A text that is another one on another machine; empty where there is none.
  private static func machine() -> [UInt8] {
    #if os(macOS)
    var bytes = [UInt8](repeating: 0, count: 16)
    var wait = timespec(tv_sec: 1, tv_nsec: 0)
    return gethostuuid(&bytes, &wait) == 0 ? bytes : []
    #elseif canImport(Darwin)
    return []
    #else
    let file = open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(read(file, buffer.baseAddress, 64), 0)
    }
    #endif
  }
}

extension POSIX {
  /// When the file was born, in nanoseconds since 1970; 0 where nobody knows.
  static func birth(_ path: String, _ status: stat) -> Int64 {
    #if canImport(Darwin)
    return Int64(status.st_birthtimespec.tv_sec) &* 1_000_000_000
      &+ Int64(status.st_birthtimespec.tv_nsec)
    #else
    return birthByStatx(path)
    #endif
  }

  #if !canImport(Darwin)
  /// `statx` is in the C library but not in its Swift module, so it is looked up by name; the
  /// layout of its answer is fixed by the kernel (include/uapi/linux/stat.h).
  private static func birthByStatx(_ path: String) -> Int64 {
    typealias Statx =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
      ) -> Int32
    guard let symbol = dlsym(nil, "statx") else { return 0 }
    let statx = unsafeBitCast(symbol, to: Statx.self)
    let wantsBirth: UInt32 = 0x800
    let answer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
    defer { answer.deallocate() }
    answer.initializeMemory(as: UInt8.self, repeating: 0)
    guard let base = answer.baseAddress, statx(AT_FDCWD, path, 0, wantsBirth, base) == 0,
      base.load(as: UInt32.self) & wantsBirth != 0
    else { return 0 }
    let seconds = base.load(fromByteOffset: 80, as: Int64.self)
    return seconds &* 1_000_000_000 &+ Int64(base.load(fromByteOffset: 88, as: UInt32.self))
  }
  #endif
}
