import CommandFoundation
import SyncKit

/// The units of a timer for systemd.
struct SystemdUnits {
  let entry: TimerPlan.Entry
  let words: [String]
  let scope: TimerScope
  /// The additional folders that a system service writes to.
  var places: [String] = []

  /// The first line of every file that we write, which identifies it later.
  static let mark =
    "# Written by 'cloudsync timer install'; 'cloudsync timer remove' takes it away."

  /// The files by name.
  var files: [(name: String, text: String)] {
    [("\(entry.name).service", service), ("\(entry.name).timer", timer)]
  }

  private var what: String { entry.job.map { "the job \($0)" } ?? "all domains" }

  var service: String {
    """
    \(Self.mark)
    [Unit]
    Description=cloudsync: sync \(what)
    Documentation=man:cloudsync(1)

    [Service]
    Type=oneshot
    ExecStart=\(words.map(Self.quoted).joined(separator: " "))
    # Another run is active, or a server asks to wait: the next run continues.
    SuccessExitStatus=75
    TimeoutStartSec=15min
    Nice=10
    IOSchedulingClass=idle
    UMask=0077
    \(hardening.joined(separator: "\n"))

    """
  }

  var timer: String {
    let seconds = max(1, Int(entry.every / .seconds(1)))
    return """
      \(Self.mark)
      [Unit]
      Description=cloudsync: sync \(what) every \(entry.everyText)

      [Timer]
      OnBootSec=3min
      OnActiveSec=1min
      OnUnitActiveSec=\(seconds)s
      # Devices switched on together should not reach the server together.
      RandomizedDelaySec=\(min(60, seconds / 10))s

      [Install]
      WantedBy=timers.target

      """
  }

  /// The restrictions of the service.
  private var hardening: [String] {
    let common = [
      "NoNewPrivileges=yes", "LockPersonality=yes", "MemoryDenyWriteExecute=yes",
      "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "RestrictNamespaces=yes",
      "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
      "SystemCallFilter=@system-service",
    ]
    // A user's manager can restrict no more without privileges that it need not have.
    guard scope == .system else { return common }
    let own = [
      "DynamicUser=yes", "StateDirectory=cloudsync", "StateDirectoryMode=0700",
      "ConfigurationDirectory=cloudsync", "CacheDirectory=cloudsync", "ProtectSystem=strict",
      "ProtectHome=read-only", "PrivateTmp=yes", "PrivateDevices=yes", "PrivateUsers=yes",
      "ProtectClock=yes", "ProtectControlGroups=yes", "ProtectHostname=yes",
      "ProtectKernelLogs=yes", "ProtectKernelModules=yes", "ProtectKernelTunables=yes",
      "ProtectProc=invisible", "ProcSubset=pid", "RemoveIPC=yes", "CapabilityBoundingSet=",
      "SystemCallFilter=~@privileged @resources",
    ]
    return common + own + places.map { "ReadWritePaths=-\(Self.quoted($0))" }
  }

  /// The words of a line as ``quoted(_:)`` wrote them.
  static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "\"": isQuoted.toggle()
      case " " where !isQuoted:
        words.append(word)
        word = ""
      case "%", "$":
        // Each is doubled there.
        if rest.first == character { rest.removeFirst() }
        word.append(character)
      case "\\":
        switch rest.popFirst() {
        case "n": word.append("\n")
        case "t": word.append("\t")
        case let other?: word.append(other)
        case nil: break
        }
      default: word.append(character)
      }
    }
    return words + [word]
  }

  /// A word that systemd reads unchanged, whatever it contains.
  static func quoted(_ word: String) -> String {
    var text = ""
    for character in word {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "%": text += "%%"
      case "$": text += "$$"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      default: text.append(character)
      }
    }
    let isPlain = word.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isPlain && !word.isEmpty ? word : "\"\(text)\""
  }
}
