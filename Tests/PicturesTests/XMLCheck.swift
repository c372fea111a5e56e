import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Whether a text is well-formed XML, and the ids of its elements in order.
final class XMLCheck: NSObject, XMLParserDelegate {
    private(set) var ids: [String] = []

    func accepts(_ text: String) -> Bool {
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        return parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if let id = attributes["id"] { ids.append(id) }
    }
}
