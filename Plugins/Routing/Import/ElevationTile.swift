import Cartography
import Core
import Foundation
import Geodesy
import PluginKit

/// A square degree of elevation samples.
struct ElevationTile: Sendable {
    /// The south-western corner in whole degrees.
    struct Corner: Sendable, Hashable {
        var latitude: Int
        var longitude: Int

        init(latitude: Int, longitude: Int) {
            self.latitude = latitude
            self.longitude = longitude
        }

        /// The corner that a file name begins with, such as `N47E009`; `nil` for other names.
        init?(name: String) {
            let text = Array(name.uppercased().prefix(7))
            guard text.count == 7, let north = Int(String(text[1...2])), let east = Int(String(text[4...6])),
                "NS".contains(text[0]), "EW".contains(text[3]), north <= 90, east <= 180
            else { return nil }
            latitude = text[0] == "S" ? -north : north
            longitude = text[3] == "W" ? -east : east
        }

        /// The tile's name.
        var name: String {
            func padded(_ number: Int, _ width: Int) -> String {
                let digits = "\(abs(number))"
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            return (latitude < 0 ? "S" : "N") + padded(latitude, 2) + (longitude < 0 ? "W" : "E")
                + padded(longitude, 3)
        }
    }

    let corner: Corner
    /// Samples along a side.
    let side: Int
    /// The number of zeros that stand for unknown ground.
    let falseZeros: Int
    /// Row by row from the north; voids are filled if a neighbour is valid.
    private let samples: [Int16]

    /// The tile of a file's bytes; `nil` if their number is not that of a tile. `check` throws to cancel.
    init?(corner: Corner, bytes: [UInt8], check: () throws -> Void) rethrows {
        let found = RoutingSettings.tileSides.first { $0 * $0 * 2 == bytes.count }
        guard let side = found else { return nil }
        self.corner = corner
        self.side = side
        var raw = try bytes.withUnsafeBytes { bytes in
            try [Int16](unsafeUninitializedCapacity: side * side) { target, count in
                for index in 0..<side * side {
                    if index % RoutingSettings.arrayStep == 0 { try check() }
                    let raw = bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
                    let sample = Int16(bigEndian: raw)
                    target[index] =
                        GroundHeights.isGround(Double(sample)) ? sample : RoutingSettings.elevationVoid
                }
                count = side * side
            }
        }
        let void = RoutingSettings.elevationVoid
        let zeros = try FalseZeros.indexes(
            among: raw.indices.filter { raw[$0] == 0 }, width: side, height: side,
            spacing: LocalPlane.metresPerDegree / Double(side - 1),
            height: { raw[$0] == void ? nil : Double(raw[$0]) }, check: check)
        for index in zeros { raw[index] = void }
        falseZeros = zeros.count
        samples = try Self.filled(raw, side: side, check)
    }

    /// Rows between two cancellation checks.
    private static let rowStep = 64

    /// Fills voids with the mean of their valid neighbours, up to eight.
    private static func filled(
        _ raw: [Int16], side: Int, _ check: () throws -> Void
    ) rethrows -> [Int16] {
        let void = RoutingSettings.elevationVoid
        guard raw.contains(void) else { return raw }
        var samples = raw
        for row in 0..<side {
            if row % Self.rowStep == 0 { try check() }
            for column in 0..<side where raw[row * side + column] == void {
                var (sum, count) = (0, 0)
                for y in max(0, row - 1)...min(side - 1, row + 1) {
                    for x in max(0, column - 1)...min(side - 1, column + 1) where raw[y * side + x] != void {
                        sum += Int(raw[y * side + x])
                        count += 1
                    }
                }
                if count > 0 {
                    samples[row * side + column] = Int16((Double(sum) / Double(count)).rounded())
                }
            }
        }
        return samples
    }

    /// The height inside the tile or on its edge, interpolated between four samples; `nil` if one with
    /// weight is void.
    func height(latitude: Double, longitude: Double) -> Double? {
        let last = Double(side - 1)
        let x = (longitude - Double(corner.longitude)) * last
        let y = (Double(corner.latitude + 1) - latitude) * last
        guard x >= 0, x <= last, y >= 0, y <= last else { return nil }
        let (column, row) = (min(Int(x), side - 2), min(Int(y), side - 2))
        let (right, down) = (x - Double(column), y - Double(row))
        let corners = [
            (row, column, (1 - right) * (1 - down)), (row, column + 1, right * (1 - down)),
            (row + 1, column, (1 - right) * down), (row + 1, column + 1, right * down),
        ]
        var height = 0.0
        // On a line between samples, rounding must not give weight to the others.
        for (row, column, weight) in corners where weight > 1e-9 {
            let sample = samples[row * side + column]
            guard sample != RoutingSettings.elevationVoid else { return nil }
            height += weight * Double(sample)
        }
        return height
    }
}

/// Adjacent tiles.
struct ElevationModel: Sendable {
    private var tiles: [ElevationTile.Corner: ElevationTile] = [:]
    /// The maximum number of samples along a side of a tile.
    private var finestSide = 0
    /// Rasters grouped by resolution, the finest first.
    private var rasters: [(samplesPerDegree: Int, all: [ElevationRaster])] = []

    /// A sentence for each tile in which zeros stand for unknown ground.
    var notices: [String] {
        (tiles.values.map { (name: $0.corner.name, count: $0.falseZeros) }
            + rasters.flatMap(\.all).map { (name: $0.name, count: $0.falseZeros) })
            .filter { $0.count > 0 }.sorted { $0.name < $1.name }
            .map {
                "\($0.name) has \($0.count, of: "sample") of 0 m walled by high ground: gaps of the data, whose height is unknown"
            }
    }

    /// The names of the tiles, in order.
    var names: [String] { (tiles.keys.map(\.name) + rasters.flatMap(\.all).map(\.name)).sorted() }
    var isEmpty: Bool { tiles.isEmpty && rasters.isEmpty }

    /// Adds a raster.
    mutating func add(_ raster: ElevationRaster) {
        let count = raster.samplesPerDegree
        let index = rasters.firstIndex { $0.samplesPerDegree <= count } ?? rasters.count
        if index < rasters.count, rasters[index].samplesPerDegree == count {
            rasters[index].all.append(raster)
        } else {
            rasters.insert((count, [raster]), at: index)
        }
    }

    /// Adds a tile; of two for the same degree the finer is used.
    mutating func add(_ tile: ElevationTile) {
        if let old = tiles[tile.corner], old.side >= tile.side { return }
        tiles[tile.corner] = tile
        finestSide = max(finestSide, tile.side)
    }

    /// Samples per degree of the finest data; `nil` without any.
    var samplesPerDegree: Int? {
        (tiles.values.map { $0.side - 1 } + rasters.map(\.samplesPerDegree)).max()
    }

    /// The heights as stored in a map; `nil` without tiles. Files provide the attribution.
    func mapSource(files: [URL]) -> HeightSource? {
        guard let count = samplesPerDegree else { return nil }
        let model = self
        return HeightSource(
            samplesPerDegree: count,
            source: "elevation: \(ElevationOrigin.text(files: files, tiles: names))",
            height: { model.height(latitude: $0, longitude: $1) })
    }

    /// The height from the finest data that has it; `nil` if none does.
    func height(latitude: Double, longitude: Double) -> Double? {
        let finer = rasters.prefix { $0.samplesPerDegree >= finestSide - 1 }
        return raster(of: finer, latitude, longitude) ?? tile(latitude, longitude)
            ?? raster(of: rasters[finer.endIndex...], latitude, longitude)
    }

    private func raster(
        of some: ArraySlice<(samplesPerDegree: Int, all: [ElevationRaster])>, _ latitude: Double,
        _ longitude: Double
    ) -> Double? {
        for (_, all) in some {
            for raster in all {
                if let height = raster.height(latitude: latitude, longitude: longitude, beside: all) {
                    return height
                }
            }
        }
        return nil
    }

    /// On a line between tiles, each of them is tried.
    private func tile(_ latitude: Double, _ longitude: Double) -> Double? {
        let (south, west) = (Int(latitude.rounded(.down)), Int(longitude.rounded(.down)))
        for row in latitude == Double(south) ? [south, south - 1] : [south] {
            for column in longitude == Double(west) ? [west, west - 1] : [west] {
                let corner = ElevationTile.Corner(latitude: row, longitude: column == 180 ? -180 : column)
                let place = column == 180 ? -180 : longitude
                if let height = tiles[corner]?.height(latitude: latitude, longitude: place) { return height }
            }
        }
        return nil
    }
}

/// The attribution of elevation tiles, as far as their names indicate it.
enum ElevationOrigin {
    private static let known = [
        ("SRTM", "SRTM (NASA)"), ("COPERNICUS", "Copernicus DEM (ESA)"), ("ASTER", "ASTER GDEM (NASA, METI)"),
        ("NASADEM", "NASADEM (NASA)"),
    ]

    static func text(files: [URL], tiles: [String]) -> String {
        var names: [String] = []
        for file in files {
            // A folder that cannot be listed has been reported when its tiles were read.
            let inside = (try? FileManager.default.contentsOfDirectory(atPath: file.path)) ?? []
            let used = inside.filter { name in tiles.contains { name.uppercased().hasPrefix($0) } }
            names += used.isEmpty ? [file.lastPathComponent] : used
        }
        let found = known.filter { mark, _ in names.contains { $0.uppercased().contains(mark) } }
        // A tile of unknown origin is listed by name.
        return found.isEmpty ? tiles.joined(separator: ", ") : found.map(\.1).joined(separator: ", ")
    }
}

extension ElevationTile.Corner {
    /// The corners of the tiles that meet an area.
    static func meeting(_ area: BoundingBox) -> [ElevationTile.Corner] {
        let rows = Int(area.south.rounded(.down))...Int(area.north.rounded(.down))
        return area.longitudeRanges.flatMap { range in
            (Int(range.lowerBound.rounded(.down))...Int(range.upperBound.rounded(.down))).flatMap { column in
                rows.map { ElevationTile.Corner(latitude: $0, longitude: column) }
            }
        }
    }
}
