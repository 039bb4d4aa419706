import SyncKit
import Synchronization

/// A zone on a remote in which one device is another person's.
struct SimulatedShare: Sendable {
  let zone: ZoneID
  /// The number of the device that has a part in it.
  let guest: Int
  /// What the guest may do; nil when the part was taken away.
  var role: ZoneAccess.Role?

  func access(of device: Int) -> ZoneAccess? {
    guard device == guest else { return ZoneAccess(role: .owner, participants: 1) }
    return role.map { ZoneAccess(role: $0, owner: "Owner", participants: 1) }
  }
}

// A tree is shared: for one device it is another person's, to be written, to be read, or not at all any more.
extension SimulatedWorld {
  /// Shares a tree with a device, in worlds where that happens: by a remote that lists participants.
  func beginShare() {
    // Whose a tree is, is another matter where it is published and withdrawn, and so it is with copies.
    guard plan.faults.contains(.share), plan.faults.isDisjoint(with: [.scope, .clone]) else {
      return
    }
    for remote in remotes where remote.kind != .folder {
      guard let guest = devices.last(where: { $0.number > 0 && $0.remotes.contains(remote.number) })
      else { continue }
      let share = SimulatedShare(
        zone: RecordKey.root("album", "1").zone, guest: guest.number, role: .writer)
      remote.state.withLock { $0.share = share }
      for other in remotes where other !== remote { other.state.withLock { $0.foreign = share } }
      say("\(guest.name) has a part in \(share.zone) on \(remote.name)")
      return
    }
  }

  /// Gives the guest another part, or takes it away.
  func turnShare(_ step: SimulatedStep) {
    var random = step.random.fork("share")
    guard random.chance(4) else { return }
    let roles: [ZoneAccess.Role?] = [.writer, .reader, nil]
    let role = roles[Int.random(in: roles.indices, using: &random)]
    for remote in remotes {
      guard let share = remote.share(as: role) else { continue }
      statistics.faults[.share, default: 0] += 1
      say(
        "#\(step.number) \(devices[share.guest].name) may "
          + (role == .writer ? "write" : role == .reader ? "read" : "not read any more")
          + " \(share.zone)")
    }
  }

  /// Lets only an error pass that says that a tree is another person's to write, on the device of a guest.
  func checkRefusal(_ error: any Error, of device: SimulatedDevice) throws {
    let isGuest = remotes.contains { remote in
      remote.state.withLock { $0.share.map { $0.guest == device.number } ?? false }
    }
    guard isGuest, let refusal = error as? SyncError, refusal.code == .shareReadOnly else {
      throw error
    }
    device.expected = [:]
    try observe(device)
    try check(device)
  }
}

extension SimulatedRemote {
  /// Gives the guest of a shared zone another part; what was not listed meanwhile is listed again.
  func share(as role: ZoneAccess.Role?) -> SimulatedShare? {
    state.withLock { state in
      guard let share = state.share, share.role != role else { return nil }
      state.share?.role = role
      guard share.role == nil else { return share }
      let names = state.files.filter { $0.key.hasPrefix("\(share.zone)/") }
        .sorted { $0.value.cursor < $1.value.cursor }.map(\.key)
      for name in names {
        let next = state.content.cursor + 1
        state.content.cursor = next
        state.files[name]?.cursor = next
      }
      return share
    }
  }
}

extension SimulatedRemote.State {
  /// Whether a zone is listed for a device: not when its part in it was taken away.
  func isTold(_ zone: ZoneID, to device: Int) -> Bool {
    share.map { $0.zone != zone || $0.guest != device || $0.role != nil } ?? true
  }

  /// The participants of zones, as a device sees them; nil where nothing is shared.
  func access(for device: Int) -> [ZoneID: ZoneAccess]? {
    guard let share else { return nil }
    return share.access(of: device).map { [share.zone: $0] } ?? [:]
  }

  /// Notes when a guest brings what it may not write, or brings it where it does not belong.
  mutating func checkPart(in zone: ZoneID, of device: Int, _ name: String) {
    if let share, share.zone == zone, share.guest == device, share.role != .writer {
      problems.append("\(name) was brought by a guest who may not write there")
    }
    if let foreign, foreign.zone == zone, foreign.guest == device {
      problems.append("\(name) was brought by a guest, whose zone has no business here")
    }
  }
}
