import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct ZoneDecisionTests {
  @Test func `only the owner and accepted guests read a zone, and no one an erased one`() {
    for part in ZonePart.allCases {
      let mayRead = part == .owner || part == .writer || part == .reader
      #expect(ZoneDecision.mayRead(part, isErased: false) == mayRead, "\(part)")
      #expect(!ZoneDecision.mayRead(part, isErased: true), "\(part)")
    }
  }

  @Test func `what becomes of a segment in every case`() {
    for part in ZonePart.allCases {
      for isErased in [false, true] {
        for isKnown in [false, true] {
          for author in ZoneDecision.Author.allCases {
            let found = ZoneDecision.storing(
              part, isErased: isErased, isKnown: isKnown, author: author)
            let wanted: ZoneDecision.Storing
            switch (part, isErased, isKnown, author) {
            case (.removed, _, _, _), (.left, _, _, _), (.reader, false, _, _): wanted = .refused
            case (_, true, _, _): wanted = .erased
            case (_, _, true, _): wanted = .known
            case (.writer, _, _, .other): wanted = .refused
            default: wanted = .store
            }
            #expect(found == wanted, "\(part), erased \(isErased), known \(isKnown), \(author)")
          }
        }
      }
    }
  }

  @Test func `only the author of a series may have segments of it removed`() {
    for part in ZonePart.allCases {
      for author in ZoneDecision.Author.allCases {
        let may = author == .caller && (part == .owner || part == .writer)
        let found = ZoneDecision.mayCompact(part, isErased: false, author: author)
        #expect(found == may, "\(part), \(author)")
        #expect(!ZoneDecision.mayCompact(part, isErased: true, author: author), "\(part)")
      }
    }
  }

  @Test func `only the sole owner of a zone may let a snapshot stand for changes`() {
    for part in ZonePart.allCases {
      for (isErased, isShared) in [(false, false), (false, true), (true, false), (true, true)] {
        let may = part == .owner && !isErased && !isShared
        let found = ZoneDecision.mayPrune(part, isErased: isErased, isShared: isShared)
        #expect(found == may, "\(part), erased \(isErased), shared \(isShared)")
      }
    }
  }

  @Test func `a guest confirms an erasure and begins none, and beginning one takes manage`() {
    for part in ZonePart.allCases {
      for isErased in [false, true] {
        for scope in TokenScope.allCases {
          let wanted: ZoneDecision.Erasing
          switch part {
          case .owner, .nobody: wanted = isErased || scope == .manage ? .erase : .beyondScope
          case .writer, .reader: wanted = isErased ? .erase : .refused
          case .removed, .left: wanted = .refused
          }
          let found = ZoneDecision.erasing(part, isErased: isErased, scope: scope)
          #expect(found == wanted, "\(part), erased \(isErased), \(scope)")
        }
      }
    }
  }

  @Test func `a part follows from role and state`() {
    #expect(ZonePart(role: .writer, state: .accepted) == .writer)
    #expect(ZonePart(role: .reader, state: .accepted) == .reader)
    for role in ZoneAccess.Role.allCases {
      #expect(ZonePart(role: role, state: .pending) == .nobody)
      #expect(ZonePart(role: role, state: .removed) == .removed)
      #expect(ZonePart(role: role, state: .left) == .left)
    }
    // A part that makes no sense gives no right.
    #expect(ZonePart(role: .owner, state: .accepted) == .removed)
  }

  @Test func `only the owner shares`() {
    for part in ZonePart.allCases {
      #expect(ZoneDecision.mayShare(part) == (part == .owner), "\(part)")
    }
  }
}
