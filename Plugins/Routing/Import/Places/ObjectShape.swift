import Geodesy

/// The coordinate and size of an object.
struct ObjectShape {
    /// A representative point; `nil` if the file has none of its nodes.
    private(set) var center: Coordinate?
    /// The box around its known points.
    private(set) var box = BoundingBox(south: 0, west: 0, north: 0, east: 0)
    /// Whether it is an open way.
    private(set) var isLine = false
    /// Its points.
    private(set) var count = 0

    /// Metres across.
    var metres: Double {
        center == nil
            ? 0
            : Coordinate(latitude: box.south, longitude: box.west).distance(
                to: Coordinate(latitude: box.north, longitude: box.east))
    }

    init(_ object: Int, _ file: OSMPlaces) {
        switch file.type(object) {
        case .node:
            center = file.points(object).first.flatMap(file.coordinate)
            count = 1
            if let center { box = BoundingBox(around: [center]) ?? box }
        case .way: setWay(object, file)
        case .relation: setRelation(object, file)
        }
    }

    private mutating func setWay(_ object: Int, _ file: OSMPlaces) {
        let range = file.points(object)
        let points = range.compactMap(file.coordinate)
        guard let around = BoundingBox(around: points) else { return }
        (box, count) = (around, points.count)
        isLine = range.count > 1 && file.node(range.lowerBound) != file.node(range.upperBound - 1)
        center = isLine ? points[points.count / 2] : around.center
    }

    private mutating func setRelation(_ object: Int, _ file: OSMPlaces) {
        let members = file.members(object)
        var boxes: [Coordinate] = []
        var ways: [Int] = []
        var main: Coordinate?
        var node: Coordinate?
        for member in members {
            guard let index = member.object else { continue }
            switch file.type(index) {
            case .node:
                let place = file.points(index).first.flatMap(file.coordinate)
                if member.role == "label" || member.role == "admin_centre" { main = main ?? place }
                node = node ?? place
            case .way:
                let points = file.points(index).compactMap(file.coordinate)
                guard !points.isEmpty else { continue }
                ways.append(index)
                boxes += points
            case .relation: break
            }
        }
        count = boxes.count
        if let around = BoundingBox(around: boxes) { box = around }
        let isArea = ["boundary", "multipolygon"].contains(file.value(object, "type") ?? "")
        if let main {
            center = main
        } else if isArea, !boxes.isEmpty {
            center = box.center
        } else if !ways.isEmpty {
            let points = file.points(ways[ways.count / 2]).compactMap(file.coordinate)
            center = points[points.count / 2]
        } else {
            center = node
        }
        if boxes.isEmpty, let center { box = BoundingBox(around: [center]) ?? box }
    }
}

extension OSMPlaces {
    /// The rings of an area: a closed way, or the ways of a relation; `nil` if one is open or incomplete.
    func rings(_ object: Int) -> [[Coordinate]]? {
        func line(_ way: Int) -> [(node: Int64, coordinate: Coordinate)]? {
            var line: [(node: Int64, coordinate: Coordinate)] = []
            for point in points(way) {
                guard let place = coordinate(point) else { return nil }
                line.append((node(point), place))
            }
            return line
        }
        switch type(object) {
        case .node: return nil
        case .way: return line(object).flatMap { RingAssembly.rings([$0]) }
        case .relation:
            var ways: [[(node: Int64, coordinate: Coordinate)]] = []
            for member in members(object) where member.role != "label" && member.role != "admin_centre" {
                guard let index = member.object else { return nil }
                guard type(index) == .way else { continue }
                guard let way = line(index) else { return nil }
                ways.append(way)
            }
            return RingAssembly.rings(ways)
        }
    }
}
