import CSyncKitExpat

/// Turns the calls of expat into those of the reader.
extension XMLEventReader {
  func setHandlers() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let reader = XMLEventReader.reader(context), let name else { return }
        reader.start(String(cString: name), XMLEventReader.attributes(attributes))
      },
      { context, name in
        guard let reader = XMLEventReader.reader(context), let name else { return }
        reader.end(String(cString: name))
      })
    XML_SetCharacterDataHandler(parser) { context, bytes, count in
      guard let reader = XMLEventReader.reader(context) else { return }
      reader.append(UnsafeRawBufferPointer(start: bytes, count: Int(max(0, count))))
    }
    XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      guard let reader = XMLEventReader.reader(context) else { return }
      reader.stop(reader.error("the text declares entities, which are not supported"))
    }
    XML_SetSkippedEntityHandler(parser) { context, name, _ in
      guard let reader = XMLEventReader.reader(context) else { return }
      let name = name.map { DisplayWidth.truncated(String(cString: $0), to: 40) } ?? ""
      reader.stop(reader.error("the entity \"\(name)\" is not declared"))
    }
  }

  private static func reader(_ context: UnsafeMutableRawPointer?) -> XMLEventReader? {
    context.map { Unmanaged<XMLEventReader>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Reads names and values in turn up to a null.
  private static func attributes(
    _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> XMLAttributes {
    guard var next = list else { return XMLAttributes() }
    var attributes: [XMLAttributes.Attribute] = []
    while let name = next.pointee, let value = next.successor().pointee {
      attributes.append(.init(name: String(cString: name), value: String(cString: value)))
      next += 2
    }
    return XMLAttributes(attributes)
  }
}
