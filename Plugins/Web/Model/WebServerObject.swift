import PluginKit

/// A running server as a value.
struct WebServerObject: FieldedObject {
    /// The port.
    let port: Int
    /// The key that admits a new browser.
    let key: String
    /// Whether pages are read-only.
    let isReadOnly: Bool
    /// Number of open pages.
    let pages: Int

    let typeName = "webServer"

    var url: String { "http://127.0.0.1:\(port)/?key=\(key)" }
    var summary: String { url }

    static let fields = FieldTable<Self> {
        Field(column: "url") { .text($0.url) }
        Field(column: "port") { .integer($0.port) }
        Field(column: "readOnly") { .boolean($0.isReadOnly) }
        Field(column: "pages") { .integer($0.pages) }
    }
}
