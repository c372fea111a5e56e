import Foundation
import GRDB
import PluginKit
import TrailStores

/// The metadata of map tiles, against the rules of MBTiles 1.3.
struct TileMetadata {
    /// The values by name; of a repeated name the last one.
    private(set) var values: [String: String] = [:]

    /// Reads the metadata and adds what is wrong with them.
    init(_ run: CheckRun) throws {
        var values: [String: String] = [:]
        try run.visit("metadata", ["name", "value"]) { row in
            guard let name = row.text("name"), let value = row.text("value") else { return }
            if values.updateValue(value == "jpeg" ? "jpg" : value, forKey: name) != nil {
                Self.add(
                    run,
                    "the key `\(name.prefix(Self.longest))` is there twice, and which of its values counts is undefined"
                )
            }
        }
        self.values = values
        for key in ["name", "format"] where values[key] == nil { Self.add(run, "missing key `\(key)`") }
        if let scheme = values["scheme"], scheme.lowercased() != "tms" {
            Self.add(
                run,
                "scheme is '\(scheme.prefix(Self.longest))': MBTiles counts rows from the south, and readers differ in whether they follow it"
            )
        }
        if let text = values["bounds"], bounds == nil {
            Self.add(run, "bounds are '\(text.prefix(Self.longest))'")
        }
        center(run)
        layers(run)
    }

    /// Maximum characters of a value in a finding.
    static let longest = 40
    /// Degrees by which rounded bounds may exceed the Earth.
    private static let rounding = 0.001

    static func add(_ run: CheckRun, _ what: String) {
        run.add(TileFindings.metadata, table: "metadata", what)
    }

    subscript(key: String) -> String? { values[key] }

    private static func numbers(_ text: String) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        return numbers.count == parts.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }

    private static func isOnEarth(_ longitude: Double, _ latitude: Double) -> Bool {
        abs(longitude) <= 180 + rounding && abs(latitude) <= 90 + rounding
    }

    /// The bounds W, S, E, N; `nil` if they are missing or no bounds.
    var bounds: [Double]? {
        guard let numbers = values["bounds"].flatMap(Self.numbers), numbers.count == 4,
            Self.isOnEarth(numbers[0], numbers[1]), Self.isOnEarth(numbers[2], numbers[3]),
            numbers[0] <= numbers[2], numbers[1] <= numbers[3]
        else { return nil }
        return numbers
    }

    /// The centre is a longitude, a latitude and a zoom level within the bounds and levels.
    private func center(_ run: CheckRun) {
        guard let text = values["center"] else { return }
        let shown = "center is '\(text.prefix(Self.longest))'"
        guard let numbers = Self.numbers(text), numbers.count == 3, Self.isOnEarth(numbers[0], numbers[1])
        else {
            return Self.add(run, shown + ", which is not a longitude, latitude and zoom level")
        }
        if let bounds,
            !(bounds[0] - Self.rounding...bounds[2] + Self.rounding).contains(numbers[0])
                || !(bounds[1] - Self.rounding...bounds[3] + Self.rounding).contains(numbers[1])
        {
            Self.add(run, shown + ", outside of the bounds")
        }
        let levels = ["minzoom", "maxzoom"].map { values[$0].flatMap(Double.init) }
        if let least = levels[0], let most = levels[1], least <= most, !(least...most).contains(numbers[2]) {
            Self.add(run, shown + ", whose zoom level is not between minzoom and maxzoom")
        }
    }

    /// Vector tiles name their layers in `json`.
    private func layers(_ run: CheckRun) {
        let text = values["json"]
        let object = text.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        if text != nil, object == nil { return Self.add(run, "json is not a JSON object") }
        if values["format"] == "pbf", object?["vector_layers"] as? [Any] == nil {
            Self.add(run, "the tiles are vector tiles, and json does not name their layers (vector_layers)")
        }
    }

    /// Compares the levels with those of the tiles.
    func compare(_ zooms: (lowest: Int64, highest: Int64)?, _ run: CheckRun) {
        guard let zooms else { return }
        for (key, actual) in [("minzoom", zooms.lowest), ("maxzoom", zooms.highest)] {
            guard let stated = values[key] else { continue }
            if Int64(stated) != actual {
                Self.add(run, "\(key) is '\(stated.prefix(Self.longest))', the tiles' \(actual)")
            }
        }
    }
}

/// The sizes in pixels of a map's pictures: those of a few that differ from the rest are placeholders, or of another map.
struct TileSizes {
    private struct Size: Hashable {
        let width: Int
        let height: Int

        var words: String { "\(width) × \(height) pixels" }
    }

    private var counts: [Size: Int] = [:]
    private var first: [Size: [(row: Int64?, name: String)]] = [:]

    mutating func add(_ data: Data, format: String, row: Int64?, name: String) {
        guard let size = Self.size([UInt8](data.prefix(Self.longestStart)), format) else { return }
        counts[size, default: 0] += 1
        if first[size, default: []].count < CheckSettings.findingsOfAKind {
            first[size, default: []].append((row, name))
        }
    }

    /// Adds the tiles whose size is not that of most.
    func report(_ run: CheckRun) {
        let order = counts.sorted {
            ($1.value, $0.key.width, $0.key.height) < ($0.value, $1.key.width, $1.key.height)
        }
        guard let usual = order.first else { return }
        for (size, _) in order where size != usual.key {
            for tile in first[size] ?? [] {
                run.add(
                    TileFindings.size, table: "tiles", row: tile.row, id: tile.name,
                    "tile \(tile.name) has \(size.words), most have \(usual.key.words)")
            }
        }
        if usual.key.width != usual.key.height {
            run.add(
                TileFindings.size, table: "tiles", "the tiles have \(usual.key.words), and are not square")
        }
    }

    /// Bytes from the start within which a picture states its size.
    private static let longestStart = 64 << 10

    private static func size(_ bytes: [UInt8], _ format: String) -> Size? {
        switch format {
        case "png" where bytes.count >= 24:
            // IHDR is the first chunk (W3C PNG, 5.6).
            return Size(width: bytes.number(at: 16, bytes: 4), height: bytes.number(at: 20, bytes: 4))
        case "jpg": return jpeg(bytes)
        default: return nil
        }
    }

    /// The size in the frame header (ITU T.81, B.2.2).
    private static func jpeg(_ bytes: [UInt8]) -> Size? {
        var offset = 2
        while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return Size(
                    width: bytes.number(at: offset + 7, bytes: 2),
                    height: bytes.number(at: offset + 5, bytes: 2))
            }
            offset += marker == 0xFF ? 1 : 2 + bytes.number(at: offset + 2, bytes: 2)
        }
        return nil
    }
}
