import PluginKit

/// A server as `web open` returns it.
struct WebServerObject: DomainObject {
    /// Where it listens.
    let port: Int
    /// Lets a browser in that is not known yet.
    let key: String
    /// Whether pages may change nothing.
    let isReadOnly: Bool
    /// Pages that are open.
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
