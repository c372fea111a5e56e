import PluginKit

/// A running server as a value.
struct WebServerObject: DomainObject {
    /// The port.
    let port: Int
    /// The key that admits a new browser.
    let key: String
    /// Whether pages are read-only.
    let isReadOnly: Bool
    /// Number of open pages.
    let pages: Int

    let typeName = "webServer"
    static let columns = ["url", "port", "readOnly", "pages"]
    static var declaredFieldNames: [String]? { columns }
    var fieldNames: [String] { Self.columns }

    var url: String { "http://127.0.0.1:\(port)/?key=\(key)" }
    var summary: String { url }

    func field(_ name: String) -> Value? {
        switch name {
        case "url": .text(url)
        case "port": .integer(port)
        case "readOnly": .boolean(isReadOnly)
        case "pages": .integer(pages)
        default: nil
        }
    }
}
