import Foundation
import GRDB
import PluginKit
import TrailStores

/// The kinds of finding in map tiles.
enum TileFindings {
    static let address = FindingKind(
        .error, "F-TILES-ADDRESS", "a tile lies outside its zoom level",
        why: "At zoom z columns and rows are whole numbers from 0 to 2^z - 1; rows count from the south.",
        fix: "delete the tile, or count its row from the south")
    static let data = FindingKind(
        .error, "F-TILES-DATA", "a tile is not a picture",
        why: "tile_data is a JPEG, PNG or WebP picture, or compressed vector data (pbf).",
        fix: "fetch the tile again")
    static let format = FindingKind(
        .warning, "F-TILES-FORMAT", "a tile's format differs from the metadata",
        why: "Readers take the format from the metadata, and draw nothing for other tiles.",
        fix: "correct `format` in the metadata")
    static let twice = FindingKind(
        .warning, "F-TILES-TWICE", "a tile is stored twice",
        why: "Which of the two is shown is undefined.", fix: "delete one of them")
    static let metadata = FindingKind(
        .warning, "F-TILES-META", "the metadata are invalid",
        why:
            "MBTiles 1.3 requires `name` and `format`; zooms are whole numbers, bounds four numbers W,S,E,N.",
        fix: "rewrite the metadata")
    static let all = [address, data, format, twice, metadata]
}

/// Checks the rules of map tiles.
struct TileChecks: StoreChecking {
    let kind = StoreKind.mbtiles
    private static let deepestZoom: Int64 = 30

    private struct Address: Hashable {
        let zoom: Int64
        let column: Int64
        let row: Int64
    }

    /// Looks at every tile and the metadata.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind)
        let metadata = try metadata(run)
        var seen: Set<Address> = []
        var zooms: (lowest: Int64, highest: Int64)?
        try run.visit("tiles", ["zoom_level", "tile_column", "tile_row", "tile_data"]) { row in
            let name = ["zoom_level", "tile_column", "tile_row"].map { row[$0].shown }.joined(separator: "/")
            guard case .int64(let zoom) = row["zoom_level"], case .int64(let column) = row["tile_column"],
                case .int64(let line) = row["tile_row"], (0...Self.deepestZoom).contains(zoom),
                (0..<(1 << zoom)).contains(column), (0..<(1 << zoom)).contains(line)
            else {
                return run.add(
                    TileFindings.address, table: "tiles", row: row.number, id: name, "tile \(name)")
            }
            zooms = (min(zoom, zooms?.lowest ?? zoom), max(zoom, zooms?.highest ?? zoom))
            if !seen.insert(Address(zoom: zoom, column: column, row: line)).inserted {
                run.add(TileFindings.twice, table: "tiles", row: row.number, id: name, "tile \(name)")
            }
            guard case .blob(let data) = row["tile_data"], let format = Self.format(data) else {
                return run.add(
                    TileFindings.data, table: "tiles", row: row.number, id: name,
                    "tile \(name): \(row["tile_data"].shown)")
            }
            if let stated = metadata["format"], stated != format {
                run.add(
                    TileFindings.format, table: "tiles", row: row.number, id: name,
                    "tile \(name) is \(format), the metadata say \(stated)")
            }
        }
        compare(metadata, zooms, run)
    }

    private func metadata(_ run: CheckRun) throws -> [String: String] {
        var metadata: [String: String] = [:]
        try run.visit("metadata", ["name", "value"]) { row in
            if let name = row.text("name"), let value = row.text("value") {
                metadata[name] = value == "jpeg" ? "jpg" : value
            }
        }
        for key in ["name", "format"] where metadata[key] == nil {
            run.add(TileFindings.metadata, table: "metadata", "missing key `\(key)`")
        }
        if let bounds = metadata["bounds"] {
            let numbers = bounds.split(separator: ",").compactMap {
                Double($0.trimmingCharacters(in: .whitespaces))
            }
            if numbers.count != 4 || numbers[0] > numbers[2] || numbers[1] > numbers[3] {
                run.add(TileFindings.metadata, table: "metadata", "bounds are '\(bounds.prefix(40))'")
            }
        }
        return metadata
    }

    private func compare(
        _ metadata: [String: String], _ zooms: (lowest: Int64, highest: Int64)?, _ run: CheckRun
    ) {
        guard let zooms else { return }
        for (key, actual) in [("minzoom", zooms.lowest), ("maxzoom", zooms.highest)] {
            guard let stated = metadata[key] else { continue }
            if Int64(stated) != actual {
                run.add(
                    TileFindings.metadata, table: "metadata",
                    "\(key) is '\(stated.prefix(40))', the tiles' \(actual)")
            }
        }
    }

    /// A tile's format, by its first bytes, in the terms of the metadata.
    static func format(_ data: Data) -> String? {
        let start = [UInt8](data.prefix(12))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if start.starts(with: Array("RIFF".utf8)), start.suffix(4) == Array("WEBP".utf8) { return "webp" }
        if start.starts(with: [0x1F, 0x8B]) || start.first == 0x1A { return "pbf" }
        return nil
    }
}
