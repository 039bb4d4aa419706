import SyncKitFormats
import SyncKit
import SyncKitTesting

/// Draws canonical records; a seed always gives the same ones.
///
/// The texts use words of everyday length and frequency, because compression
/// decides the size of a folder.
struct RecordGenerator {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// The next record as a line of JSON, about 303 bytes long.
  mutating func next() -> JSON {
    let created = 1_640_995_200_000 + Int64(random.next() % 94_608_000_000)
    let modified = created + Int64(random.next() % 7_776_000_000)
    let due = Timestamp.format(milliseconds: modified + Int64(random.next() % 15_552_000_000))
    let tags = Set((0...random.next() % 3).map { _ in pick(Self.tags) }).sorted()
    return [
      "id": .string(UUIDText.random(from: .seeded(random.next()))),
      "name": .string(words(2...5)),
      "project": .string(pick(Self.projects)),
      "status": .string(pick(Self.states)),
      "priority": .int(Int64(1 + random.next() % 4)),
      "due": .string(String(due.prefix(10))),
      "tags": .array(tags.map { .string($0) }),
      "note": .string(words(4...10)),
      "created": .string(Timestamp.format(milliseconds: created)),
      "modified": .string(Timestamp.format(milliseconds: modified)),
    ]
  }

  private mutating func pick(_ texts: [String]) -> String {
    texts[Int(random.next() % UInt64(texts.count))]
  }

  private mutating func words(_ counts: ClosedRange<Int>) -> String {
    let count = Int.random(in: counts, using: &random)
    return (0..<count).map { _ in pick(Self.vocabulary) }.joined(separator: " ")
  }

  private static let states = ["open", "waiting", "started", "done"]
  private static let projects = ["home", "garden", "office", "travel", "health", "music", "taxes"]
  private static let tags = ["urgent", "phone", "errand", "later", "family", "money", "read"]
  private static let vocabulary = """
    about after again answer apple archive arrange ask balance bank before begin bicycle book \
    bottle branch bread bring build button buy call camera card carry change check choose city \
    clean clock close coat coffee collect compare concert copy corner count cover cross dance date \
    deliver desk dinner doctor door draw drive early east empty engine evening explain family \
    farm fetch find finish fix floor flower follow forest form forward friend garden gather gift \
    give glass green ground guest guide hammer harbour heavy help holiday hour house idea invoice \
    island jacket join journey keep kitchen ladder lamp language laundry lawn learn leave lesson \
    letter library light list little look lunch machine mail map market measure meet message milk \
    minute mirror money month morning mountain move museum music name narrow near neighbour new \
    night north note number offer office open orange order paint paper parcel park passport pay \
    pencil phone photo piano picture plan plant platform play pocket post prepare present print \
    question quick rain read receipt record remember repair reply report reserve return river road \
    roof room rope salt school search season sell send share shelf ship shoe shop show sign simple \
    sister skirt sleep small snow song south speak spring square stamp start station stone store \
    story street study sugar summer table talk teach tell test thank theatre ticket time tomorrow \
    tool town train travel tree turn umbrella uncle under update vacuum valley village visit voice \
    wait walk wall warm wash watch water weather week weight west wheel white window winter wood \
    word work write yard year yellow
    """.split(separator: " ").map(String.init)
}
