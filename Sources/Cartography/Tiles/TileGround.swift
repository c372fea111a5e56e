import Core
import Foundation
import Geodesy
import Pictures
import TrailStores

/// A base map of existing tiles: an MBTiles file with PNG or JPEG.
public struct TileGround: MapGround {
    private let store: TileStore

    /// The maximum number of tiles of a picture.
    private static let mostTiles = 1024
    /// Zooms between the file and the picture from which the enlargement is said.
    private static let coarse = 3
    /// The maximum number of lower zooms searched for a missing tile.
    private static let furthest = 8

    /// Opens a file. Throws `E-MAP-BASE` for tiles that are not images, such as vector tiles.
    public init(_ url: URL) throws(RutterError) {
        store = try TileStore(url)
        // The content of the tiles decides, not the format in the metadata.
        let format = try store.sample().map(TileFormat.init) ?? .unknown
        guard format.isDrawn else {
            throw MapErrors.base(
                "\(url.lastPathComponent) has \(format.words); only PNG and JPEG are drawn",
                fix: format == .vector ? "draw a region's own map with --base topo" : "convert it to PNG")
        }
    }

    /// The attribution in the file.
    public var attribution: String { store.info.attribution }

    /// Whether the file has tiles of an area by its metadata.
    public func covers(_ box: BoundingBox) -> Bool { store.covers(box) }

    /// The tiles of a view; a missing tile is replaced by a part of a coarser one, else by the plain
    /// background.
    public func drawing(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing {
        let zooms = store.info.zooms
        let zoom = max(zooms.lowerBound, min(zooms.upperBound, view.tileZoom))
        var found: Set<TileAddress> = []
        var (missing, damaged) = (0, 0)
        var elements: [(zoom: Int, element: SceneElement)] = []
        for wanted in view.tiles(zoom: zoom, limit: Self.mostTiles) {
            try Interruption.check()
            var address = wanted
            var isHole = false
            for step in 0...Self.furthest {
                if found.contains(address) { break }
                // Some programs store an empty tile where they have none.
                let data = try store.tile(zoom: address.zoom, x: address.x, y: address.y)
                    .flatMap { $0.isEmpty ? nil : $0 }
                if let data, TileFormat(data).isDrawn, TileFormat.isWhole(data) {
                    found.insert(address)
                    elements += view.placements(of: address).map { rect in
                        (address.zoom, SceneElement(shape: .image(bytes: [UInt8](data), rect)))
                    }
                    break
                }
                if data != nil { damaged += 1 } else { isHole = isHole || step == 0 }
                guard address.zoom > zooms.lowerBound else { break }
                address = TileAddress(zoom: address.zoom - 1, x: address.x / 2, y: address.y / 2)
            }
            if isHole { missing += 1 }
        }
        // Coarser ones below.
        let ordered = elements.enumerated().sorted { ($0.1.zoom, $0.0) < ($1.1.zoom, $1.0) }.map(\.1.element)
        var drawing = GroundDrawing(color: MapTheme.ground, elements: ordered)
        let isCoarse = view.tileZoom - zoom >= Self.coarse && !found.isEmpty
        let enlarged = isCoarse ? Self.enlarged(zoom, view.tileZoom) : nil
        let turned =
            store.info.countsFromNorth
            ? "the file numbers its rows from the north, unlike the format; they are read that way" : nil
        let notices = [turned, enlarged, Self.notice(missing: missing, damaged: damaged)].compactMap(\.self)
        drawing.notice = notices.isEmpty ? nil : notices.joined(separator: "; ")
        return drawing
    }

    /// The note about a map that is more detailed than the file.
    private static func enlarged(_ zoom: Int, _ wanted: Int) -> String {
        "the file has tiles up to zoom \(zoom), enlarged \(1 << (wanted - zoom)) times for zoom \(wanted)"
    }

    /// The note about missing tiles.
    private static func notice(missing: Int, damaged: Int) -> String? {
        var parts: [String] = []
        if missing > 0 {
            parts.append(
                "\(missing) tile\(missing == 1 ? " is" : "s are") missing at this zoom, drawn from coarser ones or left blank"
            )
        }
        if damaged > 0 {
            parts.append(
                "\(damaged) tile\(damaged == 1 ? " is" : "s are") skipped: neither PNG nor JPEG, or cut")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

/// The format of a tile, by its first bytes.
enum TileFormat: Sendable, Hashable {
    case png, jpeg, webp, vector, unknown

    init(_ data: Data) {
        let bytes = [UInt8](data.prefix(12))
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.suffix(4).elementsEqual("WEBP".utf8) {
            self = .webp
        } else if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x78, 0x9C]) || bytes.first == 0x1A
        {
            // Compressed, or the first layer of a Mapbox vector tile.
            self = .vector
        } else {
            self = .unknown
        }
    }

    /// Whether a PNG or JPEG has its end, which a cut one has not. Other bytes may follow it.
    static func isWhole(_ data: Data) -> Bool {
        let end: [UInt8] = TileFormat(data) == .png ? Array("IEND".utf8) : [0xFF, 0xD9]
        let tail = [UInt8](data.suffix(mostTail))
        return tail.indices.contains { tail[$0...].starts(with: end) }
    }
    private static let mostTail = 256

    /// Whether its pixels can be drawn.
    var isDrawn: Bool { self == .png || self == .jpeg }

    var words: String {
        switch self {
        case .png: "PNG tiles"
        case .jpeg: "JPEG tiles"
        case .webp: "WebP tiles"
        case .vector: "vector tiles (pbf)"
        case .unknown: "tiles of an unknown format"
        }
    }
}
