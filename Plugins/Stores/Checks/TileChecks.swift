import Foundation
import GRDB
import PluginKit
import TrailStores

/// The kinds of finding in map tiles.
enum TileFindings {
    static let address = FindingKind(
        .error, "F-TILES-ADDRESS", "a tile lies outside its zoom level",
        why: "At zoom z, columns and rows are integers from 0 to 2^z - 1; rows count from the south.",
        fix: "delete the tile, or count its row from the south")
    static let data = FindingKind(
        .error, "F-TILES-DATA", "a tile is not a complete picture",
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
    static let flip = FindingKind(
        .error, "F-TILES-FLIP", "the rows count from the north",
        why:
            "Counted as MBTiles does, from the south, the tiles lie outside the bounds; counted as XYZ does, within.",
        fix: "flip the rows: tile_row = 2^zoom_level - 1 - tile_row")
    static let hole = FindingKind(
        .warning, "F-TILES-HOLE", "a tile is missing among others",
        why: "All four neighbours exist: a failed download.", fix: "fetch the tile")
    static let parent = FindingKind(
        .warning, "F-TILES-PARENT", "a tile lacks the tile above it",
        why:
            "The zoom level above has tiles, but not the one that contains this tile; zooming out shows nothing.",
        fix: "fetch the tile above")
    static let index = FindingKind(
        .info, "F-TILES-INDEX", "an index is missing",
        why: "Without an index each tile is found by reading all of them.", fix: "create the index")
    static let size = FindingKind(
        .warning, "F-TILES-SIZE", "a tile's size in pixels differs",
        why:
            "All tiles of a map have one size, and are square: others are placeholders of a server, or of another map.",
        fix: "fetch the tile again")
    static let plain = FindingKind(
        .warning, "F-TILES-PLAIN", "a vector tile is not compressed",
        why: "MBTiles 1.3 requires gzip for the format pbf: readers that always unpack draw nothing.",
        fix: "compress tile_data with gzip")
    static let all = [size, address, data, format, twice, metadata, flip, hole, parent, index, plain]
}

/// Checks the rules of map tiles.
struct TileChecks: StoreChecking {
    let kind = StoreKind.mbtiles
    private static let deepestZoom: Int64 = 30

    private struct Address: Hashable {
        let zoom: Int64
        let column: Int64
        let row: Int64

        var name: String { "\(zoom)/\(column)/\(row)" }
    }

    /// Checks every tile and the metadata.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind)
        let metadata = try TileMetadata(run)
        var sizes = TileSizes()
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
            sizes.add(data, format: format, row: row.number, name: name)
            if let fault = PictureEnd.fault(data, format: format) {
                run.add(
                    TileFindings.data, table: "tiles", row: row.number, id: name, "tile \(name): \(fault)")
            }
            if format == "pbf", !data.starts(with: Self.gzip) {
                run.add(
                    TileFindings.plain, table: "tiles", row: row.number, id: name,
                    "tile \(name) is not in a gzip stream")
            }
            if let stated = metadata["format"], stated != format {
                run.add(
                    TileFindings.format, table: "tiles", row: row.number, id: name,
                    "tile \(name) is \(format), the metadata say \(stated)")
            }
        }
        try pictures(run)
        metadata.compare(zooms, run)
        sizes.report(run)
        gaps(seen, run)
        if !flip(seen, metadata, run) { bounds(seen, metadata, run) }
        if seen.count >= CheckSettings.tilesWithoutIndex {
            try Plausibility.indexes(
                run, TileFindings.index,
                [("tiles", ["zoom_level", "tile_column", "tile_row"], "tile_index")])
        }
    }

    /// Tiles without their picture, in files that store equal pictures once: the view of the tiles leaves them out.
    private func pictures(_ run: CheckRun) throws {
        guard try run.has("map", "zoom_level", "tile_column", "tile_row", "tile_id"),
            try run.has("images", "tile_id")
        else { return }
        let name = "zoom_level || '/' || tile_column || '/' || tile_row"
        try run.find(
            TileFindings.data, table: "map",
            """
            SELECT NULL, \(name), 'tile ' || \(name) || ': its picture is not in images' FROM map
            WHERE tile_id IS NULL OR tile_id NOT IN (SELECT tile_id FROM images WHERE tile_id IS NOT NULL)
            ORDER BY zoom_level, tile_column, tile_row
            """)
    }

    private func gaps(_ seen: Set<Address>, _ run: CheckRun) {
        let zooms = Set(seen.map(\.zoom))
        var holes: Set<Address> = []
        var orphans: [Address] = []
        for tile in seen {
            let right = Address(zoom: tile.zoom, column: tile.column + 1, row: tile.row)
            if !seen.contains(right), !holes.contains(right), isAmong(seen, right) { holes.insert(right) }
            let above = Address(zoom: tile.zoom - 1, column: tile.column / 2, row: tile.row / 2)
            if zooms.contains(above.zoom), !seen.contains(above) { orphans.append(tile) }
        }
        func ordered(_ tiles: some Sequence<Address>) -> [Address] {
            tiles.sorted { ($0.zoom, $0.column, $0.row) < ($1.zoom, $1.column, $1.row) }
        }
        for hole in ordered(holes) {
            run.add(TileFindings.hole, table: "tiles", id: hole.name, "tile \(hole.name) is missing")
        }
        for tile in ordered(orphans) {
            run.add(
                TileFindings.parent, table: "tiles", id: tile.name,
                "tile \(tile.name), but not \(tile.zoom - 1)/\(tile.column / 2)/\(tile.row / 2)")
        }
    }

    private func isAmong(_ seen: Set<Address>, _ tile: Address) -> Bool {
        [(1, 0), (-1, 0), (0, 1), (0, -1)].allSatisfy { column, row in
            seen.contains(Address(zoom: tile.zoom, column: tile.column + column, row: tile.row + row))
        }
    }

    /// Whether the tiles are within the bounds only if their rows count from the north.
    private func flip(_ seen: Set<Address>, _ metadata: TileMetadata, _ run: CheckRun) -> Bool {
        guard let bounds = Self.bounds(metadata), let deepest = seen.map(\.zoom).max(), deepest > 1
        else { return false }
        func share(flipped: Bool, at zoom: Int64) -> Double {
            let tiles = seen.filter { $0.zoom == zoom }
            let within = tiles.count { tile in
                let side = Int64(1) << tile.zoom
                let north = flipped ? tile.row : side - 1 - tile.row
                let (top, bottom) = (Self.latitude(north, side), Self.latitude(north + 1, side))
                return bottom < bounds[3] && top > bounds[1]
            }
            return Double(within) / Double(tiles.count)
        }
        if share(flipped: false, at: deepest) < 0.1, share(flipped: true, at: deepest) > 0.9 {
            // Levels that lie within the bounds as they are stay.
            let right = Set(seen.map(\.zoom)).sorted().filter {
                share(flipped: false, at: $0) > share(flipped: true, at: $0)
            }
            let others =
                right.isEmpty
                ? "" : " WHERE zoom_level NOT IN (\(right.map(String.init).joined(separator: ", ")))"
            run.add(
                TileFindings.flip, table: "tiles",
                "at zoom \(deepest) the tiles lie within the bounds only with rows from the north",
                repair: "UPDATE tiles SET tile_row = (1 << zoom_level) - 1 - tile_row\(others)")
            return true
        }
        return false
    }

    /// The bounds W, S, E, N that the metadata state; `nil` if they have no area.
    private static func bounds(_ metadata: TileMetadata) -> [Double]? {
        metadata.bounds.flatMap { $0[0] < $0[2] && $0[1] < $0[3] ? $0 : nil }
    }

    /// Whether no tile of the deepest zoom is within the stated bounds, perhaps because these name the latitude first.
    private func bounds(_ seen: Set<Address>, _ metadata: TileMetadata, _ run: CheckRun) {
        guard let stated = Self.bounds(metadata), let deepest = seen.map(\.zoom).max(), deepest > 1 else {
            return
        }
        let side = Int64(1) << deepest
        func isWithin(_ tile: Address, _ bounds: [Double]) -> Bool {
            let north = side - 1 - tile.row
            let (top, bottom) = (Self.latitude(north, side), Self.latitude(north + 1, side))
            let west = Double(tile.column) / Double(side) * 360 - 180
            let east = Double(tile.column + 1) / Double(side) * 360 - 180
            return bottom < bounds[3] && top > bounds[1] && west < bounds[2] && east > bounds[0]
        }
        let tiles = seen.filter { $0.zoom == deepest }
        if tiles.contains(where: { isWithin($0, stated) }) { return }
        let exchanged = [stated[1], stated[0], stated[3], stated[2]]
        let why =
            tiles.contains { isWithin($0, exchanged) }
            ? "; with latitude and longitude exchanged they are" : ""
        run.add(
            TileFindings.metadata, table: "metadata",
            "no tile of zoom \(deepest) is within the bounds '\((metadata["bounds"] ?? "").prefix(40))'\(why)"
        )
    }

    /// The latitude of a row's upper edge in Web Mercator, rows counted from the north.
    private static func latitude(_ row: Int64, _ side: Int64) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(row) / Double(side)))) * 180 / .pi
    }

    /// Bytes by which a format is known.
    static let signature = 12
    /// The first bytes of a gzip stream.
    private static let gzip: [UInt8] = [0x1F, 0x8B]

    /// A tile's format in the terms of the metadata, from its first bytes.
    static func format(_ data: Data) -> String? {
        let start = [UInt8](data.prefix(signature))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if start.starts(with: Array("RIFF".utf8)), start.suffix(4) == Array("WEBP".utf8) { return "webp" }
        if start.starts(with: gzip) || start.first == 0x1A { return "pbf" }
        return nil
    }
}
