import Formats
import Geodesy
import Pictures
import PluginKit

/// An elevation profile for a chart that is linked to the map.
struct ProfileView: Sendable {
    /// Maximum points of a chart, limited by the screen's columns.
    private static let shownPoints = 500

    let title: String
    /// Metres from the start, metres above sea level, and the coordinate.
    let points: [(distance: Double, elevation: Double, coordinate: Coordinate)]
    /// Rise over distance at each point, over `WebSettings.gradeLength` around it; `nil` where it is too short to be known.
    let grades: [Double?]
    /// The indices of points with which a part begins: between two parts nothing was recorded, or no height is known.
    let starts: [Int]
    /// The total distance, and the lowest and highest elevation: of all points, not only those drawn.
    let length: Double
    let heights: ClosedRange<Double>

    /// The profile of an object; `nil` if its elevations are unknown.
    init?(_ value: Value) throws {
        guard case .object(let object) = value, let drawn = object as? any ProfileDrawable else { return nil }
        let parts = try drawn.profileParts
        let all = Array(parts.joined())
        guard let last = all.last, all.count > 1, let lowest = all.map(\.elevation).min(),
            let highest = all.map(\.elevation).max()
        else { return nil }
        title = drawn.profileTitle
        // The way goes on where no height is known.
        let length = max(try drawn.profileLength ?? 0, last.distance)
        self.length = length
        heights = lowest...highest
        let way = Way(try Self.lines(of: object), length: length)
        let (kept, starts) = Self.kept(of: parts)
        self.starts = starts
        var (grades, first, next): ([Double?], Int, Int) = ([], 0, 0)
        for part in parts {
            while next < kept.count, kept[next] < first + part.count {
                grades.append(Self.grade(at: kept[next] - first, in: part))
                next += 1
            }
            first += part.count
        }
        self.grades = grades
        points = kept.map { (all[$0].distance, all[$0].elevation, way.coordinate(at: all[$0].distance)) }
    }

    /// The indices among all points of those that a chart shows, and the indices among these with which a part begins.
    static func kept(of parts: [[ProfilePoint]]) -> (points: [Int], starts: [Int]) {
        let all = Array(parts.joined())
        let step = max(1, (all.count + Self.shownPoints - 1) / Self.shownPoints)
        let limits = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        let ends = Set(limits)
        // Both ends of a part are kept, unless there are more parts than the chart has columns.
        let wanted = all.indices.filter {
            $0 % step == 0 || $0 == all.count - 1 || ends.contains($0) || ends.contains($0 + 1)
        }
        let kept =
            wanted.count > 2 * Self.shownPoints ? Self.endsOfColumns(wanted, all) : wanted
        func part(_ index: Int) -> Int { limits.partitionIndex { $0 > index } }
        return (kept, kept.indices.filter { $0 == 0 || part(kept[$0]) != part(kept[$0 - 1]) })
    }

    /// The first and the last of the points in each column of the chart.
    private static func endsOfColumns(_ wanted: [Int], _ all: [ProfilePoint]) -> [Int] {
        let length = all.last?.distance ?? 0
        let columns = wanted.map { index -> Int in
            let share = all[index].distance / length
            return share.isFinite ? Int(max(0, min(1, share)) * Double(shownPoints)) : 0
        }
        return wanted.indices.filter { place in
            place == 0 || place == wanted.count - 1 || columns[place] != columns[place - 1]
                || columns[place] != columns[place + 1]
        }.map { wanted[$0] }
    }

    /// The grade around a point: between the points at either side of it at half of the length, or at the ends of its part.
    private static func grade(at index: Int, in part: [ProfilePoint]) -> Double? {
        let half = WebSettings.gradeLength / 2
        let place = part[index].distance
        let from = max(0, part.partitionIndex { $0.distance > place - half } - 1)
        let to = min(part.count - 1, part.partitionIndex { $0.distance >= place + half })
        let length = part[to].distance - part[from].distance
        guard length >= WebSettings.leastGradeLength else { return nil }
        return (part[to].elevation - part[from].elevation) / length
    }

    private static func lines(of object: any DomainObject) throws -> [[Coordinate]] {
        if let route = object as? any TravelRoute { return [route.line] }
        return try (object as? any MapDrawable)?.mapFeatures.compactMap { feature in
            switch feature {
            case .route(let line), .track(let line): line
            default: nil
            }
        } ?? []
    }

    /// The chart's data; its texts are formatted as in the terminal.
    func json(_ entries: any EntryRunning) async -> JSONTree {
        let distances = await entries.cells(points.map { .quantity(.metres($0.distance)) })
        let elevations = await entries.cells(points.map { .quantity(.altitude($0.elevation.rounded())) })
        let ends = await entries.cells([
            .quantity(.metres(length)), .quantity(.altitude(heights.lowerBound.rounded())),
            .quantity(.altitude(heights.upperBound.rounded())),
        ])
        let shares = await entries.cells(
            grades.map { grade in Value(grade) { .quantity(.share(abs($0 * 100).rounded() / 100)) } })
        let rows = points.indices.map { index in
            let point = points[index]
            let way = grades[index].map { ", \(shares[index]) " + ($0 < 0 ? "down" : "up") } ?? ""
            return JSONTree.list([
                JSONTree(point.distance.rounded()), JSONTree((point.elevation * 10).rounded() / 10),
                PageMap.coordinate(point.coordinate),
                .text(distances[index] + ", " + elevations[index] + way),
                grades[index].map { JSONTree(($0 * 1000).rounded() / 10) } ?? .null,
            ])
        }
        return JSONTree(members: [
            "title": .text(title), "length": JSONTree(length), "lowest": JSONTree(heights.lowerBound),
            "highest": JSONTree(heights.upperBound), "points": .list(rows),
            "starts": .list(starts.map { JSONTree(Double($0)) }),
            "labels": .list(ends.map { .text($0) }),
        ])
    }
}

/// Consecutive lines, by the distance along them.
private struct Way {
    private var coordinates: [Coordinate] = []
    private var distances: [Double] = []
    private let scale: Double

    /// `length` is their total length as measured otherwise, such as by the device.
    init(_ lines: [[Coordinate]], length: Double) {
        var start = 0.0
        for line in lines {
            let along = Polyline.cumulativeDistances(line)
            coordinates += line
            distances += along.map { $0 + start }
            start += along.last ?? 0
        }
        scale = length > 0 ? start / length : 1
    }

    func coordinate(at distance: Double) -> Coordinate {
        let wanted = distance * scale
        let index = distances.partitionIndex { $0 >= wanted }
        guard index > 0, index < coordinates.count else {
            return coordinates[min(index, coordinates.count - 1)]
        }
        let (before, after) = (distances[index - 1], distances[index])
        let share = after > before ? (wanted - before) / (after - before) : 1
        let (from, to) = (coordinates[index - 1], coordinates[index])
        return Coordinate(
            latitude: from.latitude + (to.latitude - from.latitude) * share,
            longitude: from.longitude + Angle.longitude(to.longitude - from.longitude) * share)
    }
}
