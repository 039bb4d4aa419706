import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Ends the services of this process when it is gone, however it ends: a small shell holds one end of a pair of
/// sockets, and the system closes the other end.
public enum PlaceGuard {
  /// Our end; -1 when the shell could not be started, and nil before the first service.
  private static let end = Mutex<Int32?>(nil)

  /// Guards a group of processes.
  public static func add(group: pid_t) { tell("+ \(group)") }

  /// Guards a group no more, since it has ended.
  public static func remove(group: pid_t) { tell("- \(group)") }

  /// Guards a folder, which is removed when this process is gone.
  public static func add(folder: String) { tell("+ \(folder)") }

  /// Guards a folder no more.
  public static func remove(folder: String) { tell("- \(folder)") }

  private static let script = """
    trap '' HUP INT QUIT TERM
    guarded=
    while read -r word name; do
      kept=
      for one in $guarded; do [ "$one" = "$name" ] || kept="$kept $one"; done
      guarded=$kept
      [ "$word" = - ] || guarded="$guarded $name"
    done
    for one in $guarded; do
      case $one in /*) ;; *) kill -s KILL -- "-$one" ;; esac
    done
    for one in $guarded; do
      case $one in
        # What a killed service has started writes until it notices.
        /*) for try in 1 2 3 4 5 6 7 8 9; do rm -rf "$one" && break; sleep 0.5; done ;;
      esac
    done
    """

  private static func tell(_ line: String) {
    end.withLock { end in
      let socket = end ?? start() ?? -1
      end = socket
      guard socket >= 0 else { return }
      let bytes = Array("\(line)\n".utf8)
      #if canImport(Darwin)
      _ = send(socket, bytes, bytes.count, 0)
      #else
      _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      #endif
    }
  }

  private static func start() -> Int32? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that what ends ours leaves it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let words = ["sh", "-c", script]
    let variables = ["PATH=/usr/bin:/bin"]
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process = pid_t()
    guard
      posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &environment) == 0
    else {
      close(ends[0])
      return nil
    }
    return ends[0]
  }
}
