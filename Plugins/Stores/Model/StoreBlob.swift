import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import TrailStores

/// A blob of a store, and its content as recognised from its bytes.
struct StoreBlob: DomainObject, MapDrawable, ImageRepresentable {
    /// The content of a blob.
    enum Content {
        case photo(PhotoKind, width: Int, height: Int)
        case track([TrackPoint])
        case text(String)
        /// Zero bytes only: never written, or wiped.
        case blank
        case bytes
    }

    /// Maximum bytes of text and data shown.
    private static let shown = 4_000
    private static let shownBytes = 32

    let table: String
    let column: String
    /// SQLite's row number; `nil` if a condition selected it.
    let row: Int?
    let data: Data
    let content: Content

    init(_ data: Data, table: String, column: String, row: Int?) {
        (self.data, self.table, self.column, self.row) = (data, table, column, row)
        content = Self.content(data)
    }

    private static func content(_ data: Data) -> Content {
        if !data.isEmpty, data.allSatisfy({ $0 == 0 }) { return .blank }
        if let kind = PhotoKind(sniffing: data.prefix(16)) {
            guard let info = try? Photos.info(data) else { return .bytes }
            return .photo(kind, width: info.width, height: info.height)
        }
        // Text first: short text may have the length of a track's records.
        if let text = String(data: data, encoding: .utf8), !data.isEmpty,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) })
        {
            return .text(text)
        }
        if let points = try? TrackCodec.decode(data, source: "blob"), !points.isEmpty {
            return .track(points)
        }
        return .bytes
    }

    var typeName: String { "blob" }
    var fieldNames: [String] {
        ["table", "column", "row", "bytes", "holds", "width", "height", "points", "text", "start"]
    }

    func field(_ name: String) -> Value? {
        switch (name, content) {
        case ("table", _): .text(table)
        case ("column", _): .text(column)
        case ("row", _): row.map { .integer($0) } ?? .nothing
        case ("bytes", _): .integer(data.count)
        case ("holds", .photo(let kind, _, _)): .text("photo (\(kind.rawValue.uppercased()))")
        case ("holds", .track): .text("track")
        case ("holds", .text): .text("text")
        case ("holds", .blank): .text("zero bytes only: never written, or wiped")
        case ("holds", .bytes): .text(data.isEmpty ? "nothing" : "unknown data")
        case ("width", .photo(_, let width, _)): .integer(width)
        case ("height", .photo(_, _, let height)): .integer(height)
        case ("points", .track(let points)): .integer(points.count)
        case ("text", .text(let text)):
            .text(text.count > Self.shown ? text.prefix(Self.shown) + "…" : text)
        case ("start", .bytes):
            .text(
                data.prefix(Self.shownBytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                    .joined())
        default: fieldNames.contains(name) ? .nothing : nil
        }
    }

    var summary: String { "blob of \(data.count) bytes" }

    var mapFeatures: [MapFeature] {
        guard case .track(let points) = content else { return [] }
        return [.track(points.map(\.coordinate))]
    }

    func imageFile() throws -> ImageFile? {
        guard case .photo(let kind, _, _) = content else { return nil }
        if kind == .png { return ImageFile(.png, data) }
        // Browsers do not show HEIC.
        try kind.requireLibraries()
        return ImageFile(.jpeg, kind == .jpeg ? data : try Photos.uprightJPEG(data))
    }
}
