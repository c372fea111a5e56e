import PluginKit
import TrailStores

extension StoredCell {
    /// The cell as displayed: text unchanged, a blob by its size.
    var shown: String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .real(let number): return Literal.number(number)
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            return text.count > CompareSettings.longestText
                ? text.prefix(CompareSettings.longestText) + "…" : text
        case .blob(let bytes): return "blob of \(bytes.count) bytes"
        }
    }
}
