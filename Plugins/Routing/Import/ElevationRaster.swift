import CTiff
import Core
import Foundation
import Geodesy
import PluginKit

/// A raster of heights in degrees from a GeoTIFF, such as the Copernicus DEM.
struct ElevationRaster: Sendable {
    let name: String
    let width: Int
    let height: Int
    /// The coordinate of the first sample, the north-western one, in degrees.
    private let north: Double
    private let west: Double
    /// Degrees from a sample to the next.
    private let stepDown: Double
    private let stepRight: Double
    /// The number of zeros that stand for unknown ground.
    private(set) var falseZeros = 0
    /// Row by row from the north; NaN where unknown.
    private var samples: [Float] = []

    /// Samples per degree of latitude.
    var samplesPerDegree: Int { Int((1 / stepDown).rounded()) }

    /// The whole degrees that it covers.
    private var corners: [ElevationTile.Corner] {
        let (south, east) = (north - Double(height - 1) * stepDown, west + Double(width - 1) * stepRight)
        return (Int(south.rounded(.down))...Int(north.rounded(.down))).flatMap { latitude in
            (Int(west.rounded(.down))...Int(east.rounded(.down))).map {
                ElevationTile.Corner(latitude: latitude, longitude: $0)
            }
        }
    }

    /// Reads a file; `nil` if none of its degrees is needed.
    init?(_ url: URL, wanted: (ElevationTile.Corner) -> Bool = { _ in true }) throws {
        try RegularFile.check(url)
        try NativeLibrary.tiff.require()
        var head = ctiff_head()
        try Self.check(ctiff_read(url.path, &head, nil, RoutingSettings.largestRaster), head, url)
        try Self.checkPlace(head, url)
        // The coordinate of a pixel is its corner, unless the file says that it is the sample itself.
        let half = head.raster == Self.pixelIsPoint ? 0 : 0.5
        name = url.deletingPathExtension().lastPathComponent
        (width, height) = (Int(head.width), Int(head.height))
        (stepRight, stepDown) = (head.scale.0, head.scale.1)
        west = head.tie.2 + (half - head.tie.0) * head.scale.0
        north = head.tie.3 - (half - head.tie.1) * head.scale.1
        guard abs(north) <= 91, abs(west) <= 181, Double(height) * stepDown <= 181,
            Double(width) * stepRight <= 361
        else {
            throw RegionErrors.elevation("\(url.lastPathComponent) is outside the range of coordinates")
        }
        guard corners.contains(where: wanted) else { return nil }
        samples = try Self.samples(url)
        guard samples.count == width * height else {
            throw RegionErrors.elevation("\(url.lastPathComponent) changed while it was read")
        }
        let all = samples
        let zeros = try FalseZeros.indexes(
            among: all.indices.filter { all[$0] == 0 }, width: width, height: height,
            spacing: stepDown * LocalPlane.metresPerDegree,
            height: { all[$0].isNaN ? nil : Double(all[$0]) }, check: { try Interruption.check() })
        for index in zeros { samples[index] = .nan }
        falseZeros = zeros.count
    }

    private static let pixelIsPoint: UInt16 = 2
    private static let projected: UInt16 = 1
    private static let geographic: UInt16 = 2
    /// Geographic systems whose degrees are those of WGS 84 within a metre: ETRS89, NAD83, WGS 84.
    private static let systems: Set<UInt16> = [4258, 4269, 4326]
    /// The minimum step between samples in degrees: a tenth of a metre.
    private static let leastStep = 1e-6
    private static let metre: UInt16 = 9001
    private static let degree: UInt16 = 9102
    /// Codes of the GeoTIFF standard for undefined and user-defined values.
    private static let unsaid: Set<UInt16> = [0, 32767]

    private static func samples(_ url: URL) throws -> [Float] {
        var head = ctiff_head()
        var values: UnsafeMutablePointer<Float>?
        try check(ctiff_read(url.path, &head, &values, RoutingSettings.largestRaster), head, url)
        guard let values else { return [] }
        defer { free(values) }
        let count = Int(head.width) * Int(head.height)
        let nodata = head.has_nodata != 0 ? Float(head.nodata) : .nan
        return UnsafeBufferPointer(start: values, count: count).map {
            $0 == nodata || !GroundHeights.isGround(Double($0)) ? .nan : $0
        }
    }

    private static func check(_ status: Int32, _ head: ctiff_head, _ url: URL) throws {
        let file = url.lastPathComponent
        let message = String(cArray: head.message)
        switch status {
        case CTIFF_OK: return
        case CTIFF_COMPRESSION:
            throw RegionErrors.elevation(
                "\(file) uses the unsupported compression method \(head.compression)",
                fix: "gdal_translate -co COMPRESS=DEFLATE \(file) other.tif")
        case CTIFF_LAYOUT:
            throw RegionErrors.elevation(
                "\(file) has samples of \(head.samples_per_pixel) × \(head.bits) bits (format \(head.format)); supported are "
                    + "single integers of 16 or 32 bits and floating-point numbers of 32 or 64 bits")
        case CTIFF_TOO_LARGE:
            throw RegionErrors.elevation(
                "\(file) has \(head.width) × \(head.height) samples, more than \(RoutingSettings.largestRaster)",
                fix: "cut it to the region: gdal_translate -projwin WEST NORTH EAST SOUTH \(file) other.tif")
        default:
            throw RegionErrors.elevation("\(file): \(message.isEmpty ? "it cannot be read" : message)")
        }
    }

    private static func checkPlace(_ head: ctiff_head, _ url: URL) throws {
        let file = url.lastPathComponent
        let citation = String(cArray: head.citation)
        guard head.model != 0 || head.has_georeference != 0 else {
            throw RegionErrors.elevation("\(file) has no georeference")
        }
        let system = head.model == projected ? head.projected : head.geographic
        guard head.model == geographic, systems.contains(system) else {
            let names = [unsaid.contains(system) ? "" : "EPSG:\(system)", citation].filter { !$0.isEmpty }
            throw RegionErrors.elevation(
                "\(file) is in the projection \(names.isEmpty ? "(unnamed)" : names.joined(separator: ", ")), "
                    + "not in degrees of WGS 84",
                fix: "gdalwarp -t_srs EPSG:4326 \(file) other.tif")
        }
        guard unsaid.contains(head.angular_units) || head.angular_units == degree else {
            throw RegionErrors.elevation(
                "\(file) has coordinates in the unit EPSG:\(head.angular_units), not in degrees")
        }
        guard unsaid.contains(head.vertical_units) || head.vertical_units == metre else {
            throw RegionErrors.elevation(
                "\(file) has heights in the unit EPSG:\(head.vertical_units), not in metres")
        }
        guard head.has_georeference != 0, (leastStep...1).contains(head.scale.0),
            (leastStep...1).contains(head.scale.1)
        else {
            throw RegionErrors.elevation(
                "\(file) has no georeference in rows and columns of degrees")
        }
    }

    /// The sample nearest to a coordinate, if nearer than half a step; `nil` outside.
    private func nearest(latitude: Double, longitude: Double) -> Float? {
        let row = ((north - latitude) / stepDown).rounded(),
            column = ((longitude - west) / stepRight).rounded()
        guard row >= 0, column >= 0, row < Double(height), column < Double(width) else { return nil }
        return samples[Int(row) * width + Int(column)]
    }

    /// The height interpolated between four samples; `nil` if one with weight is unknown. Up to one step
    /// beyond the last sample the neighbouring rasters are used, and without them the sample at the edge
    /// for half a step.
    func height(latitude: Double, longitude: Double, beside: [ElevationRaster]) -> Double? {
        let x = (longitude - west) / stepRight, y = (north - latitude) / stepDown
        guard x > -1, y > -1, x < Double(width), y < Double(height) else { return nil }
        let column = x.rounded(.down), row = y.rounded(.down)
        var (sum, weights) = (0.0, 0.0)
        for (down, right) in [(0.0, 0.0), (0, 1), (1, 0), (1, 1)] {
            let weight = (down == 0 ? 1 - (y - row) : y - row) * (right == 0 ? 1 - (x - column) : x - column)
            // On a line between samples, rounding must not give weight to the others.
            guard weight > 1e-9 else { continue }
            guard let sample = sample(row + down, column + right, x: x, y: y, beside), !sample.isNaN else {
                return nil
            }
            sum += weight * Double(sample)
            weights += weight
        }
        return sum / weights
    }

    private func sample(
        _ row: Double, _ column: Double, x: Double, y: Double, _ beside: [ElevationRaster]
    ) -> Float? {
        if row >= 0, column >= 0, row < Double(height), column < Double(width) {
            return samples[Int(row) * width + Int(column)]
        }
        let (latitude, longitude) = (north - row * stepDown, west + column * stepRight)
        for raster in beside {
            if let found = raster.nearest(latitude: latitude, longitude: longitude) { return found }
        }
        let (inY, inX) = (min(max(row, 0), Double(height - 1)), min(max(column, 0), Double(width - 1)))
        guard abs(y - min(max(y, 0), Double(height - 1))) <= 0.5,
            abs(x - min(max(x, 0), Double(width - 1))) <= 0.5
        else { return nil }
        return samples[Int(inY) * width + Int(inX)]
    }
}

extension NativeLibrary {
    /// libtiff.
    static let tiff = NativeLibrary("reading GeoTIFF heights", packages: "libtiff6", isThere: ctiff_is_there)
}
