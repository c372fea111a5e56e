import Geodesy
import PluginKit

/// The places of a region by coordinate, with their names, and the outlines of its municipalities: all that the name of a
/// coordinate needs, without the database and the words of the `PlaceIndex`.
///
/// It is an image, mapped from a file beside the database or built in memory. Places are in the order of their latitudes.
final class Gazetteer: Sendable {
    private enum Tag: UInt32 {
        case latitudes = 1, places, kinds, limits
        case texts = 20, textOffsets
        case areas = 40, firstPoint, points
    }

    let image: MemoryImage
    private let latitudes: Column<Double>
    private let places: Column<PlaceRow>
    /// The text of each kind.
    private let kinds: Column<Int32>
    /// South, west, north and east of all places; empty without any.
    private let limits: Column<Double>
    private let texts: ImageTexts
    private let areas: Column<AreaRow>
    /// The start of each ring in `points`; one more than there are rings.
    private let firstPoint: Column<Int32>
    private let points: Column<OutlinePoint>

    /// The gazetteer in an image that `image(of:_:check:)` made.
    init(_ image: MemoryImage) {
        func column<T: BitwiseCopyable>(_ tag: Tag, _ type: T.Type) -> Column<T> {
            image.column(tag.rawValue, as: type)
        }
        self.image = image
        latitudes = column(.latitudes, Double.self)
        places = column(.places, PlaceRow.self)
        kinds = column(.kinds, Int32.self)
        limits = column(.limits, Double.self)
        texts = ImageTexts(bytes: column(.texts, UInt8.self), offsets: column(.textOffsets, Int32.self))
        areas = column(.areas, AreaRow.self)
        firstPoint = column(.firstPoint, Int32.self)
        points = column(.points, OutlinePoint.self)
    }

    /// The gazetteer in a file; `nil` if a section has an unexpected length.
    convenience init?(mapped image: MemoryImage) {
        self.init(image)
        guard places.count == latitudes.count, places.count == 0 || kinds.count > 0,
            texts.offsets.count > 0, firstPoint.count > 0
        else { return nil }
        let (texts, letters, kinds) = (texts.count, texts.bytes.count, kinds.count)
        let (rings, points) = (firstPoint.count - 1, points.count)
        image.expect(Tag.kinds) { $0.lies(below: texts) }
        image.expect(Tag.textOffsets) { $0.rises(to: letters) }
        image.expect(Tag.firstPoint) { $0.rises(to: points) }
        image.expect(Tag.places.rawValue, as: PlaceRow.self) { block, _ in
            block.allSatisfy {
                (0..<texts).contains(Int($0.name)) && (-1..<texts).contains(Int($0.context))
                    && (0..<kinds).contains(Int($0.kind))
            }
        }
        image.expect(Tag.areas.rawValue, as: AreaRow.self) { block, _ in
            block.allSatisfy {
                (0..<texts).contains(Int($0.name)) && $0.firstRing >= 0 && $0.firstRing <= $0.endRing
                    && $0.endRing <= rings
            }
        }
    }

    /// The box around all places; `nil` if there is none.
    var box: BoundingBox? {
        guard limits.count == 4 else { return nil }
        return BoundingBox(south: limits[0], west: limits[1], north: limits[2], east: limits[3])
    }

    /// The kinds of its places.
    var kindNames: [String] { (0..<kinds.count).compactMap { texts[kinds[$0]] } }

    /// The places within a radius in metres, the nearest first, and of those at one distance the most important; `isWanted` states for
    /// each kind whether it counts, and only ranks before `rank` do. `source` becomes theirs.
    func nearest(
        to coordinate: Coordinate, within radius: Double, limit: Int, before rank: Int = .max, source: String,
        isWanted: (String) -> Bool
    ) -> [SurroundingPlace] {
        let wanted = (0..<kinds.count).map { isWanted(texts[kinds[$0]] ?? "") }
        let circle = BoundingBox(center: coordinate, radius: radius)
        var found: [(index: Int, distance: Double, number: Int32)] = []
        for index in (0..<latitudes.count).partitionIndex(where: { latitudes[$0] >= circle.south })... {
            guard index < latitudes.count, latitudes[index] <= circle.north else { break }
            let row = places[index]
            let place = Coordinate(latitude: latitudes[index], longitude: row.longitude)
            guard wanted[Int(row.kind)], row.rank < rank, circle.contains(place) else { continue }
            let distance = coordinate.distance(to: place)
            if distance <= radius { found.append((index, distance, row.number)) }
        }
        return found.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }.prefix(limit).map {
            SurroundingPlace(place($0.index, source: source), distance: $0.distance)
        }
    }

    /// The municipality that contains a coordinate; `nil` if none is known.
    func municipality(of coordinate: Coordinate) -> String? {
        let inside = (0..<areas.count).map { areas[$0] }.filter {
            $0.box.contains(coordinate) && contains($0, coordinate)
        }
        return NamedArea.municipality(of: inside.map { (Int($0.level), texts[$0.name] ?? "") })
    }

    private func contains(_ area: AreaRow, _ coordinate: Coordinate) -> Bool {
        var isInside = false
        for ring in Int(area.firstRing)..<Int(area.endRing) {
            let range = firstPoint.part(ring)
            points.check(range)
            for index in range.dropFirst()
            where NamedArea.crosses(
                points.start[index - 1].coordinate, points.start[index].coordinate, beside: coordinate)
            { isInside.toggle() }
        }
        return isInside
    }

    private func coordinate(_ index: Int) -> Coordinate {
        Coordinate(latitude: latitudes[index], longitude: places[index].longitude)
    }

    private func place(_ index: Int, source: String) -> NamedPlace {
        let row = places[index]
        return NamedPlace(
            name: texts[row.name] ?? "", kind: texts[kinds[Int(row.kind)]] ?? "", source: source,
            coordinate: coordinate(index), rank: Int(row.rank), prominence: Double(row.prominence),
            context: texts[row.context])
    }
}

/// A place as stored in an image, without its latitude: texts by number.
private struct PlaceRow: BitwiseCopyable {
    var longitude: Double
    var name: Int32
    var context: Int32
    var kind: Int32
    var rank: Int32
    var prominence: Float
    /// Its index by importance.
    var number: Int32
}

/// A municipality as stored in an image: the name by number, its rings by their indexes.
private struct AreaRow: BitwiseCopyable {
    var south: Double
    var west: Double
    var north: Double
    var east: Double
    var name: Int32
    var level: Int32
    var firstRing: Int32
    var endRing: Int32

    var box: BoundingBox { BoundingBox(south: south, west: west, north: north, east: east) }
}

/// A point of an outline, in 1e-7 degrees.
private struct OutlinePoint: BitwiseCopyable {
    private static let scale = 1e7

    var latitude: Int32
    var longitude: Int32

    init(_ coordinate: Coordinate) {
        latitude = Int32((coordinate.latitude * Self.scale).rounded())
        longitude = Int32((coordinate.longitude * Self.scale).rounded())
    }

    var coordinate: Coordinate {
        Coordinate(latitude: Double(latitude) / Self.scale, longitude: Double(longitude) / Self.scale)
    }
}

// MARK: Making

extension Gazetteer {
    /// The image of places, the most important first, and of the municipalities among areas; its stamp is 0. `check` throws
    /// to cancel.
    static func image(
        of entries: [PlaceIndex.Entry], _ areas: [NamedArea], check: () throws -> Void
    ) rethrows -> MemoryImage {
        var (texts, kinds) = (TextTable(), TextTable())
        var order: [(key: UInt64, index: UInt32)] = []
        for (index, entry) in entries.enumerated() where entry.coordinate.isValid {
            // Positive numbers are in the order of their bits.
            order.append(((entry.coordinate.latitude + 90).bitPattern, UInt32(index)))
        }
        try RadixSort.sort(&order, check)
        var latitudes: [Double] = []
        var places: [PlaceRow] = []
        for (number, item) in order.enumerated() {
            if number % RoutingSettings.rowStep == 0 { try check() }
            let entry = entries[Int(item.index)]
            latitudes.append(entry.coordinate.latitude)
            places.append(
                PlaceRow(
                    longitude: entry.coordinate.longitude, name: texts.index(of: entry.name),
                    context: texts.index(of: entry.context), kind: kinds.index(of: entry.kind),
                    rank: Int32(entry.rank), prominence: Float(entry.prominence),
                    number: Int32(item.index)))
        }
        var builder = MemoryImage.Builder()
        builder.add(Tag.latitudes.rawValue, latitudes)
        builder.add(Tag.places.rawValue, places)
        let box = BoundingBox(around: order.lazy.map { entries[Int($0.index)].coordinate })
        builder.add(Tag.limits.rawValue, box.map { [$0.south, $0.west, $0.north, $0.east] } ?? [])
        try addAreas(areas, &builder, &texts, check)
        builder.add(
            Tag.kinds.rawValue,
            (0..<Int32(kinds.count)).map { kind in
                kinds.withText(kind) { texts.index(of: UnsafeRawBufferPointer($0)) }
            })
        builder.add(Tag.texts.rawValue, texts.bytes)
        builder.add(Tag.textOffsets.rawValue, texts.offsets)
        return try builder.takeImage(stamp: 0, check: check)
    }

    private static func addAreas(
        _ areas: [NamedArea], _ builder: inout MemoryImage.Builder, _ texts: inout TextTable,
        _ check: () throws -> Void
    ) rethrows {
        var rows: [AreaRow] = []
        var firstPoint: [Int32] = [0]
        var points: [OutlinePoint] = []
        for area in areas {
            guard area.isMunicipal, let level = area.level else { continue }
            try check()
            let firstRing = Int32(firstPoint.count - 1)
            for ring in area.rings {
                points += ring.map { OutlinePoint($0) }
                firstPoint.append(Int32(points.count))
            }
            rows.append(
                AreaRow(
                    south: area.box.south, west: area.box.west, north: area.box.north, east: area.box.east,
                    name: texts.index(of: area.name), level: Int32(level), firstRing: firstRing,
                    endRing: Int32(firstPoint.count - 1)))
        }
        builder.add(Tag.areas.rawValue, rows)
        builder.add(Tag.firstPoint.rawValue, firstPoint)
        builder.add(Tag.points.rawValue, points)
    }
}
