import Geodesy

/// A geometry as a GeoPackage stores it: a header of its own, then well-known binary by ISO, longitude first.
enum GeoPackageGeometry {
    /// Why bytes are no geometry that is read.
    enum Fault: Error, Equatable {
        /// Not a geometry's bytes, or cut off.
        case damaged
        /// A kind that is not read, such as a curve.
        case kind(UInt32)
    }

    // Kinds of well-known binary; ISO adds 1000 for a height, 2000 for a measure.
    private static let (point, line, polygon, multiPoint, multiLine, multiPolygon) =
        (UInt32(1), UInt32(2), UInt32(3), UInt32(4), UInt32(5), UInt32(6))
    private static let withHeight: UInt32 = 1000
    private static let magic: [UInt8] = [0x47, 0x50]

    // MARK: Writing

    /// The bytes. A geometry has heights if all its points have.
    static func bytes(of shape: GeoPackageShape, system: Int32) -> [UInt8] {
        let points = shape.points
        var writer = Writer(hasHeight: !points.isEmpty && points.allSatisfy { $0.altitude != nil })
        writer.bytes = magic
        // Version 0; little-endian, with an envelope of longitudes and latitudes unless it is a point.
        if case .point = shape {
            writer.bytes += [0, 0b001]
            writer.append(UInt32(bitPattern: system))
        } else {
            writer.bytes += [0, 0b011]
            writer.append(UInt32(bitPattern: system))
            let (longitudes, latitudes) = (points.map(\.longitude), points.map(\.latitude))
            for edge in [longitudes.min(), longitudes.max(), latitudes.min(), latitudes.max()] {
                writer.append(edge ?? .nan)
            }
        }
        switch shape {
        case .point(let place):
            writer.begin(point)
            writer.append(place)
        case .lines(let lines):
            if lines.count != 1 { writer.begin(multiLine, count: lines.count) }
            for points in lines { writer.append(line, points) }
        case .polygons(let polygons):
            if polygons.count != 1 { writer.begin(multiPolygon, count: polygons.count) }
            for rings in polygons {
                writer.begin(polygon, count: rings.count)
                for ring in rings { writer.append(closed(ring)) }
            }
        }
        return writer.bytes
    }

    private static func closed(_ ring: [Coordinate]) -> [Coordinate] {
        guard let first = ring.first, ring.last != first else { return ring }
        return ring + [first]
    }

    private struct Writer {
        let hasHeight: Bool
        var bytes: [UInt8] = []

        mutating func append(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        mutating func append(_ number: Double) {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
        }
        mutating func begin(_ kind: UInt32, count: Int? = nil) {
            bytes.append(1)
            append(kind + (hasHeight ? withHeight : 0))
            if let count { append(UInt32(count)) }
        }
        mutating func append(_ point: Coordinate) {
            append(point.longitude)
            append(point.latitude)
            if hasHeight { append(point.altitude ?? .nan) }
        }
        mutating func append(_ points: [Coordinate]) {
            append(UInt32(points.count))
            for point in points { append(point) }
        }
        mutating func append(_ kind: UInt32, _ points: [Coordinate]) {
            begin(kind)
            append(points)
        }
    }

    // MARK: Reading

    /// The geometry; `nil` for an empty one.
    static func shape(of bytes: [UInt8]) throws(Fault) -> GeoPackageShape? {
        guard bytes.count >= 8, Array(bytes.prefix(2)) == magic else { throw .damaged }
        let flags = bytes[3]
        // Doubles of the envelope by its code.
        let envelopes = [0, 4, 6, 6, 8]
        let code = Int(flags >> 1 & 0b111)
        guard code < envelopes.count else { throw .damaged }
        if flags & 0b1_0000 != 0 { return nil }
        var reader = Reader(bytes: bytes, index: 8 + envelopes[code] * 8)
        return try reader.shape()
    }

    private struct Reader {
        let bytes: [UInt8]
        var index: Int
        var isLittle = true
        var numbers = 2

        init(bytes: [UInt8], index: Int) { (self.bytes, self.index) = (bytes, index) }

        private mutating func raw(_ size: Int) throws(Fault) -> UInt64 {
            guard index + size <= bytes.count else { throw .damaged }
            var value: UInt64 = 0
            for step in 0..<size {
                value |= UInt64(bytes[index + step]) << UInt64(8 * (isLittle ? step : size - 1 - step))
            }
            index += size
            return value
        }

        /// A number of parts, which cannot be more than the bytes that are left.
        private mutating func count() throws(Fault) -> Int {
            let count = Int(try raw(4))
            guard count <= bytes.count - index else { throw .damaged }
            return count
        }

        /// The kind without its dimensions.
        private mutating func begin() throws(Fault) -> UInt32 {
            isLittle = try raw(1) != 0
            let code = UInt32(try raw(4))
            // Older files have the height as the highest bit, by EWKB.
            let (hasZ, hasM) = (code & 0x8000_0000 != 0, code & 0x4000_0000 != 0)
            let plain = code & 0x0FFF_FFFF
            let dimensions = plain / GeoPackageGeometry.withHeight
            guard dimensions <= 3 else { throw .kind(code) }
            numbers = 2 + (hasZ || dimensions & 1 == 1 ? 1 : 0) + (hasM || dimensions & 2 == 2 ? 1 : 0)
            self.hasHeight = hasZ || dimensions & 1 == 1
            return plain % GeoPackageGeometry.withHeight
        }

        private var hasHeight = false

        private mutating func place() throws(Fault) -> Coordinate {
            var values: [Double] = []
            for _ in 0..<numbers { values.append(Double(bitPattern: try raw(8))) }
            var place = Coordinate(latitude: values[1], longitude: values[0])
            if hasHeight, values[2].isFinite { place.altitude = values[2] }
            return place
        }

        private mutating func places() throws(Fault) -> [Coordinate] {
            var points: [Coordinate] = []
            for _ in 0..<(try count()) { points.append(try place()) }
            return points
        }

        private mutating func rings() throws(Fault) -> [[Coordinate]] {
            var rings: [[Coordinate]] = []
            for _ in 0..<(try count()) { rings.append(try places()) }
            return rings
        }

        /// A geometry; as a part of a collection none that has parts itself, however deep bytes nest them.
        mutating func shape(isPart: Bool = false) throws(Fault) -> GeoPackageShape? {
            let kind = try begin()
            switch kind {
            case GeoPackageGeometry.point:
                let place = try place()
                // An empty point has no numbers.
                return place.latitude.isNaN || place.longitude.isNaN ? nil : .point(place)
            case GeoPackageGeometry.line:
                let points = try places()
                return points.isEmpty ? nil : .lines([points])
            case GeoPackageGeometry.polygon:
                let rings = try rings()
                return rings.isEmpty ? nil : .polygons([rings])
            case GeoPackageGeometry.multiLine, GeoPackageGeometry.multiPolygon,
                GeoPackageGeometry.multiPoint:
                guard !isPart else { throw .damaged }
                return try parts(of: kind)
            default: throw .kind(kind)
            }
        }

        /// The parts of a collection of one kind. Several points are no point: they are not read.
        private mutating func parts(of kind: UInt32) throws(Fault) -> GeoPackageShape? {
            var (lines, polygons): ([[Coordinate]], [[[Coordinate]]]) = ([], [])
            let count = try count()
            guard kind != GeoPackageGeometry.multiPoint || count <= 1 else { throw .kind(kind) }
            for _ in 0..<count {
                switch try shape(isPart: true) {
                case .point(let place) where kind == GeoPackageGeometry.multiPoint: return .point(place)
                case .lines(let part) where kind == GeoPackageGeometry.multiLine: lines += part
                case .polygons(let part) where kind == GeoPackageGeometry.multiPolygon: polygons += part
                case nil: continue
                default: throw .damaged
                }
            }
            if !polygons.isEmpty { return .polygons(polygons) }
            return lines.isEmpty ? nil : .lines(lines)
        }
    }
}

extension GeoPackageShape {
    /// All points.
    var points: [Coordinate] {
        switch self {
        case .point(let place): [place]
        case .lines(let lines): lines.flatMap(\.self)
        case .polygons(let polygons): polygons.flatMap { $0.flatMap(\.self) }
        }
    }

    /// The name in `gpkg_geometry_columns`.
    var kind: String {
        switch self {
        case .point: "POINT"
        case .lines(let lines): lines.count == 1 ? "LINESTRING" : "MULTILINESTRING"
        case .polygons(let polygons): polygons.count == 1 ? "POLYGON" : "MULTIPOLYGON"
        }
    }
}
