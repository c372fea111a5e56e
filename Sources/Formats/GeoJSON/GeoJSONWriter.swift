import CivilTime
import Foundation
import Geodesy

/// Writes map documents as GeoJSON (RFC 7946): a point for each place, a line for each track and route,
/// several lines for several segments. A line across the antimeridian is cut in two, as section 3.1.9
/// requires.
public enum GeoJSONWriter {
    /// The UTF-8 file, on one line; `check` is called for each feature, and cancels by throwing.
    public static func bytes(_ document: MapDocument, check: () throws -> Void) rethrows -> [UInt8] {
        var out: [UInt8] = []
        try GeoJSON.write(document.features, head: head(document), .compact) {
            out += Array($0.utf8)
        } feature: { feature in
            try check()
            return switch feature {
            case .place(let place): self.feature(place)
            case .line(let line, let kind, let id): self.feature(line, kind, id)
            }
        }
        out.append(UInt8(ascii: "\n"))
        return out
    }

    private static func head(_ document: MapDocument) -> JSONTree {
        let box = BoundingBox(around: document.features.lazy.flatMap(\.points).map(\.coordinate))
        let edges = box.map { [$0.west, $0.south, $0.east, $0.north] }
        return JSONTree(members: [
            "bbox": edges.map { .list($0.map { JSONTree($0.rounded(decimals: MapSettings.exactDecimals)) }) },
            "name": text(document.name), "description": text(document.description),
            "author": text(document.author), "time": text(document.time.map { ISO8601.text($0) }),
        ])
    }

    private static func text(_ text: String?) -> JSONTree? { text?.nonEmpty.map(JSONTree.text) }

    private static func feature(_ place: MapPlace) -> JSONTree {
        let point = place.point
        var properties = JSONTree(members: [
            "kind": .text("waypoint"), "name": point.name.map(JSONTree.text),
            "desc": point.description.map(JSONTree.text), "cmt": point.comment.map(JSONTree.text),
            "link": point.link.map(JSONTree.text), "type": point.type.map(JSONTree.text),
            "sym": point.symbol.map(JSONTree.text), "time": point.time.map { .text(ISO8601.text($0)) },
            "heartRate": point.heartRate.map { JSONTree($0) },
        ])
        for (name, value) in place.properties where properties[name] == nil {
            properties[name] = .text(value)
        }
        return GeoJSON.feature(
            GeoJSON.point(point.coordinate), id: place.id.map { .text($0.uuidString) }, properties: properties
        )
    }

    private static func feature(_ line: GPXLine, _ kind: MapDocument.LineKind, _ id: UUID?) -> JSONTree {
        let parts = line.segments.flatMap(AntimeridianCut.parts).filter { !$0.isEmpty }
        let properties = JSONTree(members: [
            "kind": .text(kind.rawValue), "name": line.name.map(JSONTree.text),
            "desc": line.description.map(JSONTree.text), "cmt": line.comment.map(JSONTree.text),
            "src": line.source.map(JSONTree.text), "link": line.link.map(JSONTree.text),
            "number": line.number.map { JSONTree($0) }, "type": line.type.map(JSONTree.text),
            "coordTimes": list(parts) { $0.time.map { .text(ISO8601.text($0)) } },
            "heartRates": list(parts) { $0.heartRate.map { JSONTree($0) } },
        ])
        return GeoJSON.feature(
            GeoJSON.line(parts.map { $0.map(\.coordinate) }), id: id.map { .text($0.uuidString) },
            properties: properties)
    }

    /// A value for each point, with nested lists for several parts; `nil` if no point has one.
    private static func list(_ parts: [[GPXPoint]], _ value: (GPXPoint) -> JSONTree?) -> JSONTree? {
        let lists = parts.map { $0.map { value($0) ?? .null } }
        guard lists.contains(where: { $0.contains { $0 != .null } }) else { return nil }
        return lists.count == 1 ? .list(lists[0]) : .list(lists.map(JSONTree.list))
    }
}

extension MapDocument.Feature {
    /// All points of the feature.
    fileprivate var points: [GPXPoint] {
        switch self {
        case .place(let place): [place.point]
        case .line(let line, _, _): Array(line.segments.joined())
        }
    }
}
