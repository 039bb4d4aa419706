import SyncKitFormats
import Testing

/// Texts in the encodings in which other programs write them.
struct DecodedTextTests {
  private static let text = "Zürich, Genève; “Łódź”\n漢字 𝄞\n"

  private static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? pair : pair.reversed()
    }
  }

  private static func utf32(_ text: String, isBig: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let four = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (24 - 8 * $0)) }
      return isBig ? four : four.reversed()
    }
  }

  @Test(
    arguments: [
      (Array(text.utf8), .utf8), ([0xEF, 0xBB, 0xBF] + Array(text.utf8), .utf8),
      ([0xFF, 0xFE] + utf16(text, isBig: false), .utf16LittleEndian),
      ([0xFE, 0xFF] + utf16(text, isBig: true), .utf16BigEndian),
      ([0xFF, 0xFE, 0, 0] + utf32(text, isBig: false), .utf32LittleEndian),
      ([0, 0, 0xFE, 0xFF] + utf32(text, isBig: true), .utf32BigEndian),
    ] as [([UInt8], DecodedText.Encoding)])
  func `a mark at the beginning says how a text is encoded`(
    bytes: [UInt8], encoding: DecodedText.Encoding
  ) throws {
    let decoded = try DecodedText(bytes)
    #expect(String(decoding: decoded.utf8, as: UTF8.self) == Self.text)
    #expect(decoded.encoding == encoding)
  }

  @Test(arguments: [false, true])
  func `bytes of zero at every other place are UTF-16 without a mark`(isBig: Bool) throws {
    for text in ["iata,icao\r\nJFK,KJFK\r\n", "name;Ort\nŁask;Żary\n"] {
      let decoded = try DecodedText(Self.utf16(text, isBig: isBig))
      #expect(String(decoding: decoded.utf8, as: UTF8.self) == text)
      #expect(decoded.encoding == (isBig ? .utf16BigEndian : .utf16LittleEndian))
    }
  }

  @Test(
    arguments: [
      ([0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68], "Zürich"),
      ([0x4C, 0x92, 0xE9, 0x74, 0xE9, 0x20, 0x80, 0x20, 0x35], "L’été € 5"),
      ([0x53, 0xE3, 0x6F, 0x20, 0x50, 0x61, 0x75, 0x6C, 0x6F], "São Paulo"),
      ([0xBF, 0x51, 0x75, 0xE9, 0x3F, 0x20, 0x31, 0xB0, 0x20, 0x6D, 0xB2], "¿Qué? 1° m²"),
      ([0xC5, 0x6C, 0x65, 0x73, 0x75, 0x6E, 0x64], "Ålesund"),
      ([0x48, 0x61, 0x61, 0x67, 0x20, 0x96, 0x20, 0x69, 0x6A], "Haag – ij"),
    ] as [([UInt8], String)])
  func `words of western languages are read as Windows-1252`(
    bytes: [UInt8], text: String
  ) throws {
    let decoded = try DecodedText(bytes)
    #expect(String(decoding: decoded.utf8, as: UTF8.self) == text)
    #expect(decoded.encoding == .windows1252)
  }

  @Test(
    arguments: [
      // Москва in Windows-1251 and KOI8-R.
      [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0], [0xED, 0xCF, 0xD3, 0xCB, 0xD7, 0xC1],
      // książka in Windows-1250, Łódź in ISO 8859-2.
      [0x6B, 0x73, 0x69, 0xB9, 0xBF, 0x6B, 0x61], [0xA3, 0xF3, 0x64, 0xBC, 0x6B],
      // 東京 in Shift JIS, 北京 in GBK, 서울 in EUC-KR.
      [0x93, 0x8C, 0x8B, 0x9E, 0x81, 0x40], [0xB1, 0xB1, 0xBE, 0xA9], [0xBC, 0xAD, 0xBF, 0xEF],
      // Café in Mac Roman.
      [0x43, 0x61, 0x66, 0x8E, 0x20, 0x63, 0x61, 0x66, 0x8E],
    ] as [[UInt8]])
  func `words in other encodings are refused rather than read as others`(bytes: [UInt8]) {
    let text = Array("name\n".utf8) + bytes
    let error = #expect(throws: DecodedTextError.self) { try DecodedText(text) }
    #expect(error?.line == 2)
  }

  @Test func `a text in two encodings names the line that is in the second`() {
    let text = Array("a\nZürich\nGenève\n".utf8) + [0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68]
    let error = #expect(throws: DecodedTextError.self) { try DecodedText(text) }
    #expect(error?.line == 4)
    #expect(error?.message.contains("most of the text is UTF-8") == true)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x41], [0xFF, 0xFE, 0x00, 0xD8, 0x41, 0x00], [0xFE, 0xFF, 0xDC, 0x00],
      [0xEF, 0xBB, 0xBF, 0x41, 0xFC], [0x00, 0x01, 0x02, 0x00, 0x00, 0x03, 0x00, 0x00],
    ] as [[UInt8]])
  func `what is cut off, or no text, is refused`(bytes: [UInt8]) {
    #expect(throws: DecodedTextError.self) { try DecodedText(bytes) }
  }

  @Test(
    arguments: [
      ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
      ("koi8-r", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "Привет"),
      ("windows-1250", [0xA3, 0xF3, 0x64, 0x9F], "Łódź"),
      ("shift_jis", [0x91, 0xCC, 0x8F, 0x64], "体重"),
      ("EUC-JP", [0xC2, 0xCE, 0xBD, 0xC5], "体重"),
      ("gb18030", [0xCC, 0xE5, 0xD6, 0xD8], "体重"),
      ("Big5", [0xC5, 0xE9, 0xAD, 0xAB], "體重"),
      ("euc-kr", [0xC3, 0xBC, 0xC1, 0xDF], "체중"),
      ("utf-16", [0xFF, 0xFE, 0x41, 0x01], "Ł"), ("utf-8", [0xEF, 0xBB, 0xBF, 0x41], "A"),
      ("latin1", [], ""),
    ] as [(String, [UInt8], String)])
  func `an encoding that is named is read`(name: String, bytes: [UInt8], text: String) throws {
    let encoding = try #require(TextEncoding(named: name))
    #expect(String(decoding: try encoding.utf8(of: bytes), as: UTF8.self) == text)
    // Longer than one piece.
    let many = Array(repeating: bytes + [0x0A], count: 30_000).flatMap(\.self)
    guard name != "utf-16" else { return }
    let lines = String(decoding: try encoding.utf8(of: many), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 30_001 && (lines.dropFirst().first.map(String.init) ?? "") == lines[1])
    #expect(lines[29_999].hasSuffix(text))
  }

  @Test(
    arguments: [
      ("shift_jis", [0x0A, 0x91, 0xCC, 0x0A, 0xFF, 0x0A], "line 3: not valid shift_jis"),
      ("euc-kr", [0x41, 0x0A, 0xC3], "line 2: the text is cut off in a letter"),
    ] as [(String, [UInt8], String)])
  func `bytes that mean nothing in it are named with their line`(
    name: String, bytes: [UInt8], problem: String
  ) throws {
    let encoding = try #require(TextEncoding(named: name))
    let error = #expect(throws: DecodedTextError.self) { try encoding.utf8(of: bytes) }
    #expect(error?.description == problem)
  }

  @Test(arguments: ["", "klingon", "latin1//IGNORE", "utf-8\0"])
  func `an unknown encoding is none`(name: String) {
    #expect(TextEncoding(named: name) == nil)
  }

  @Test func `the usual encodings are all known`() {
    for name in TextEncoding.commonNames { #expect(TextEncoding(named: name) != nil, "\(name)") }
  }
}
