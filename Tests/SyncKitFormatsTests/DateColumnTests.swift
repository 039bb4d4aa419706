import SyncKitFormats
import Testing

/// Dates as people in many countries have them in their exports.
struct DateColumnTests {
  /// 2024-01-15T07:30:00Z, and twelve hours later.
  private static let morning: Int64 = 1_705_303_800_000
  private static let evening: Int64 = 1_705_347_000_000

  private func milliseconds(_ text: String, _ column: DateColumn = DateColumn([])) -> Int64? {
    column.read(text).time?.milliseconds()
  }

  @Test(arguments: [
    "Jan 15, 2024, 7:30:00 AM", "Jan 15, 2024, 7:30:00\u{202F}AM", "January 15, 2024 at 7:30:00 AM",
    "15 Jan 2024, 07:30:00", "Mon, 15 Jan 2024 07:30:00 +0000", "Mon Jan 15 07:30:00 2024",
    "15.01.2024, 07:30:00", "15. Jan. 2024, 07:30:00", "15. Jänner 2024 um 07:30:00 Uhr",
    "15 janv. 2024 à 07:30:00", "lun. 15 janv. 2024, 7h30", "15 ene 2024, 7:30:00",
    "15 de enero de 2024, 7:30:00 a. m.", "15 gen 2024, 07:30:00", "15 de jan. de 2024 07:30:00",
    "15 de jan. de 2024, às 07:30:00", "15 jan 2024 07:30:00", "15 jan. 2024 kl. 07:30:00",
    "15. jan. 2024 07.30.00", "15. jan. 2024 kl. 7.30", "15.1.2024 klo 7.30.00",
    "15. tammikuuta 2024 klo 7.30.00", "15 sty 2024, 07:30:00", "15 stycznia 2024 07:30",
    "15. 1. 2024 7:30:00", "15 led 2024 7:30:00", "15. ledna 2024 v 7:30:00",
    "15 janvāris 2024 07:30:00", "2024. gada 15. janv. 07:30:00", "15 янв. 2024 г., 07:30:00",
    "15 января 2024 г. в 07:30:00", "15 січ. 2024 р., 07:30:00", "15 ян. 2024 07:30:00",
    "15.01.2024 г., 7:30:00", "15 Oca 2024 07:30:00", "15 Ιαν 2024, 7:30:00 π.μ.",
    "2024. jan. 15. 7:30:00", "2024. január 15. de. 7:30", "15 ian. 2024, 07:30:00",
    "15. sij 2024. 07:30:00", "15. jan. 2024, 07:30:00", "2024-01-15 07:30:00",
    "2024/01/15 7:30:00",
    "2024年1月15日 7:30:00", "2024年1月15日(月) 午前7:30:00", "2024年1月15日 上午7:30:00",
    "2024年1月15日上午7:30:00", "2024年1月15日 7時30分0秒", "2024. 1. 15. 오전 7:30:00",
    "2024년 1월 15일 오전 7:30:00", "2024년 1월 15일 월요일 오전 7시 30분 0초",
    "15 ม.ค. 2567 07:30:00", "15 มกราคม 2567 07:30", "07:30:00 15 thg 1, 2024",
    "15 tháng 1, 2024 7:30:00 SA", "15 Jan 2024 07.30.00", "15 בינו׳ 2024, 7:30:00",
    "١٥‏/٠١‏/٢٠٢٤، ٧:٣٠:٠٠ ص", "۱۵ ژانویهٔ ۲۰۲۴،‏ ۷:۳۰:۰۰", "15 जन॰ 2024, 7:30:00 am",
    "2024(e)ko urt. 15(a) 07:30:00", "15 de gen. 2024, 7:30:00", "15 d’abril 2024 7:30:00",
    "15 qaz 2024", "2024-01-15T07:30:00", "2024-01-15T07:30:00.000", "2024-01-15T08:30:00+0100",
    "2024-01-15 07:30:00 UTC", "15.01.2024 08:30:00 GMT+1", "2024-01-15T07:30:00Z",
  ])
  func `a date is read in whatever language it is written`(text: String) {
    let known: [String: Int64?] = [
      "15 d’abril 2024 7:30:00": 1_713_166_200_000, "15 qaz 2024": nil,
      // No language shortens January to two letters.
      "15 ян. 2024 07:30:00": nil,
    ]
    #expect(milliseconds(text) == (known[text] ?? Self.morning))
  }

  @Test(arguments: [
    "Jan 15, 2024, 7:30:00 PM", "15 Jan 2024, 7:30:00 pm", "15 de enero de 2024, 7:30:00 p. m.",
    "2024年1月15日 下午7:30:00", "2024年1月15日下午7:30", "2024年1月15日 晚上7:30:00",
    "2024年1月15日 午後7:30:00", "2024. 1. 15. 오후 7:30:00", "2024년 1월 15일 오후 7시 30분",
    "15 Ιαν 2024, 7:30:00 μ.μ.", "١٥‏/٠١‏/٢٠٢٤، ٧:٣٠:٠٠ م", "2024. január 15. du. 7:30",
    "15 jan. 2024 7:30:00 em", "15. 1. 2024 7:30:00 odp.", "15.1.2024 7.30.00 ip.",
    "15 tháng 1, 2024 7:30:00 CH", "15 Oca 2024 ÖS 7:30:00", "15 जन॰ 2024, 7:30:00 pm",
    "15 Jan 2024 7:30:00 PTG", "15 בינו׳ 2024, 7:30:00 אחה״צ", "2024. 1. 15. 19:30:00",
    "15.01.2024 19.30", "15 janv. 2024 à 19h30",
  ])
  func `an afternoon is twelve hours later in each language`(text: String) {
    #expect(milliseconds(text) == Self.evening)
  }

  @Test func `noon and midnight are told apart`() {
    #expect(milliseconds("Jan 15, 2024, 12:00:00 AM") == 1_705_276_800_000)
    #expect(milliseconds("Jan 15, 2024, 12:00:00 PM") == 1_705_320_000_000)
    #expect(milliseconds("2024年1月15日 中午12:00") == 1_705_320_000_000)
    #expect(milliseconds("2024年1月15日 凌晨12:00") == 1_705_276_800_000)
    #expect(milliseconds("2024. 1. 15. 오후 12:00:00") == 1_705_320_000_000)
    #expect(milliseconds("2024年1月15日 午後0:00") == 1_705_320_000_000)
  }

  @Test(arguments: [
    "", "yesterday", "Jan 32, 2024, 7:30:00 AM", "Jan 15, 24, 7:30:00 AM", "15:30", "::", "1:2:3:4",
    "Feb 30, 2024, 1:00:00 AM", "Jan 15, 2024, 25:00:00", "99999999999999999999 Jan 2024 1:00",
    "Jan 15, 2024, 13:00 AM", "Jan 15, 2024, 7:30 xyz", "Jan 15, 2024 xyz 7:30", "Foo 15, 2024",
    "2024 2025 Jan 1", "Jan 15, 2024, 7:61", "15/2024", "1 2 3 2024",
  ])
  func `a text that is not a date, or not for certain, is not guessed`(text: String) {
    #expect(milliseconds(text) == nil)
  }

  @Test func `one date of a column says whether the day or the month comes first`() {
    let european = DateColumn(["05/06/2024", "13/06/2024 8:00"])
    let american = DateColumn(["05/06/2024", "06/13/2024 8:00"])
    #expect(european.order == .dayFirst && american.order == .monthFirst)
    #expect(european.read("05/06/2024").time?.date.text == "2024-06-05")
    #expect(american.read("05/06/2024").time?.date.text == "2024-05-06")
  }

  @Test
  func `a column that says nothing leaves its dates in doubt, apart from those that are the same`()
  {
    let column = DateColumn(["05/06/2024", "7/7/2024"])
    #expect(column.order == nil && column.read("05/06/2024") == .doubtful)
    #expect(column.read("7/7/2024").time?.date.text == "2024-07-07")
    #expect(column.read("5.6.2024").time?.date.text == "2024-06-05")
    #expect(column.read("2024-06-05").time?.date.text == "2024-06-05")
  }

  @Test func `a column that contradicts itself decides nothing`() {
    let column = DateColumn(["13/06/2024", "06/13/2024", "05/06/2024"])
    #expect(column.order == nil && column.read("05/06/2024") == .doubtful)
    #expect(column.read("13/06/2024").time?.date.text == "2024-06-13")
  }

  @Test func `an order that is told counts, and a date that contradicts it is none`() throws {
    let order = try #require(DateColumn.Order(pattern: "MM/dd/yyyy HH:mm"))
    #expect(order == .monthFirst)
    #expect(DateColumn.Order(pattern: "dmy") == .dayFirst && DateColumn.Order(pattern: "x") == nil)
    let column = DateColumn(order: order)
    #expect(column.read("05/06/2024").time?.date.text == "2024-05-06")
    #expect(column.read("13/06/2024") == .unreadable)
  }

  @Test func `a name that two languages share is that of the column's language`() {
    #expect(DateColumn(["15 lis 2024"]).read("15 lis 2024").time?.date.month == 11)
    let croatian = DateColumn(["15. lis 2024.", "1. ruj 2024."])
    #expect(croatian.read("15. lis 2024.").time?.date.month == 10)
    #expect(DateColumn(["1 srp 2024"]).read("1 srp 2024").time?.date.month == 8)
    #expect(DateColumn(["1 srp 2024", "2 kol 2024"]).read("1 srp 2024").time?.date.month == 7)
  }

  @Test func `a time without a zone is that of the place, and one with a zone is not`() {
    let place = { (wall: Int64) in wall - 3_600_000 }
    let column = DateColumn([])
    #expect(column.read("15.01.2024 08:30").time?.milliseconds(zone: place) == Self.morning)
    #expect(
      column.read("15.01.2024 08:30 +01:00").time?.milliseconds(zone: place) == Self.morning)
    #expect(column.read("15.01.2024").time?.time == nil)
  }

  @Test func `a weekday that looks like a month is none`() {
    #expect(DateColumn([]).read("mar. 16 janv. 2024, 7:30").time?.date.text == "2024-01-16")
    #expect(DateColumn([]).read("mar 16/01/2024").time?.date.text == "2024-01-16")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever the text, reading ends`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "1", "15", "2024", ":", ".", "/", " ", "Jan", "오후", "年", "月", "h", "+", "-", "Z", "thg", "م",
      "p",
    ]
    for _ in 0..<300 {
      let text = (0..<Int(random.next() % 12)).map { _ in
        pieces[Int(random.next() % UInt64(pieces.count))]
      }.joined()
      _ = DateColumn([text]).read(text)
    }
  }
}
