import CSyncKitExpat

/// What is wrong with a text of XML, in words of our own.
enum XMLProblem {
  static func words(_ code: XML_Error) -> String {
    switch code {
    case XML_ERROR_NO_ELEMENTS: "the text ends before its first element does"
    case XML_ERROR_INVALID_TOKEN: "a character or a tag is not allowed here"
    case XML_ERROR_UNCLOSED_TOKEN: "a tag, a comment or a reference does not end"
    case XML_ERROR_PARTIAL_CHAR: "a character is cut off"
    case XML_ERROR_TAG_MISMATCH: "an end tag does not match its start tag"
    case XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute appears twice"
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "something follows the end of the document"
    case XML_ERROR_UNDEFINED_ENTITY: "an entity is not defined"
    case XML_ERROR_RECURSIVE_ENTITY_REF: "an entity refers to itself"
    case XML_ERROR_BAD_CHAR_REF: "a reference stands for a character that is not allowed"
    case XML_ERROR_BINARY_ENTITY_REF, XML_ERROR_ATTRIBUTE_EXTERNAL_ENTITY_REF,
      XML_ERROR_EXTERNAL_ENTITY_HANDLING, XML_ERROR_PARAM_ENTITY_REF:
      "it refers to something outside of the text"
    case XML_ERROR_MISPLACED_XML_PI: "the declaration <?xml …?> is not at the beginning"
    case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
      "its encoding is not supported"
    case XML_ERROR_UNCLOSED_CDATA_SECTION: "a CDATA section does not end"
    case XML_ERROR_UNBOUND_PREFIX: "a prefix is not declared"
    case XML_ERROR_AMPLIFICATION_LIMIT_BREACH: "its entities grow out of proportion"
    case XML_ERROR_NO_MEMORY: "there is not enough memory"
    default: "it is not valid XML"
    }
  }
}
