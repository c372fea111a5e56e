import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

/// GPX documents of everything that a journey can hold, made from a seed.
struct RandomDocuments {
    private var random: Xoshiro256
    private static let words = [
        "Hut", "Zürich & <b>", "東京 タワー", "عين الماء", "a \"quoted\" 'name'", "two\nlines", "N/A",
        "#1. *star*", "🏔 peak",
        "tab\there", "]]>", "[x](y)", "1. one",
    ]

    init(seed: UInt64) { random = Xoshiro256(seed: seed) }

    /// A document. Lines lie within a few degrees, now and then across the antimeridian.
    mutating func document() -> GPXDocument {
        var document = GPXDocument()
        document.name = word()
        document.description = maybe { $0.word() }
        document.author = maybe { $0.word() }
        document.tracks = (0..<Int.random(in: 0...2, using: &random)).map { _ in line(segments: 0...3) }
        document.routes = (0..<Int.random(in: 0...2, using: &random)).map { _ in line(segments: 1...1) }
        document.waypoints = (0..<Int.random(in: 1...5, using: &random)).map { _ in waypoint() }
        return document
    }

    private mutating func line(segments: ClosedRange<Int>) -> GPXLine {
        var line = GPXLine(name: word())
        line.comment = maybe { $0.word() }
        line.description = maybe { $0.word() }
        line.source = maybe { $0.word() }
        line.link = maybe { _ in "https://example.org/?a=1&b=2" }
        line.number = maybe { Int.random(in: 0...9, using: &$0.random) }
        line.type = maybe { _ in "hiking" }
        let isTimed = Bool.random(using: &random)
        let isHigh = Bool.random(using: &random)
        line.segments = (0..<Int.random(in: segments, using: &random)).map { _ in
            segment(isTimed: isTimed, isHigh: isHigh)
        }
        return line
    }

    private mutating func segment(isTimed: Bool, isHigh: Bool) -> [GPXPoint] {
        var place = coordinate()
        var time = moment()
        return (0..<Int.random(in: 1...20, using: &random)).map { _ in
            place.latitude = rounded(
                min(85, max(-85, place.latitude + .random(in: -0.1...0.1, using: &random))))
            place.longitude = rounded(
                Angle.longitude(place.longitude + .random(in: -0.4...0.4, using: &random)))
            // 180 is −180.
            if place.longitude >= 180 { place.longitude = -180 }
            place.altitude = isHigh ? Double(Int.random(in: -40_000...400_000, using: &random)) / 100 : nil
            time = time.advanced(bySeconds: Double.random(in: 0.5...100, using: &random))
            var point = GPXPoint(coordinate: place, time: isTimed ? time : nil)
            if isTimed, Bool.random(using: &random) {
                point.heartRate = Double(Int.random(in: 40...220, using: &random))
            }
            return point
        }
    }

    private mutating func waypoint() -> GPXPoint {
        var place = coordinate()
        place.altitude = maybe { Double(Int.random(in: -400...8000, using: &$0.random)) }
        var point = GPXPoint(coordinate: place, time: maybe { $0.moment() }, name: maybe { $0.word() })
        point.description = maybe { $0.word() }
        point.comment = point.description == nil ? nil : maybe { $0.word() }
        point.link = maybe { _ in "https://example.org" }
        point.symbol = maybe { _ in "Lodge" }
        point.type = maybe { _ in "shelter" }
        return point
    }

    private mutating func coordinate() -> Coordinate {
        let nearLine = Int.random(in: 0..<4, using: &random) == 0
        return Coordinate(
            latitude: rounded(.random(in: -80...80, using: &random)),
            longitude: rounded(nearLine ? 179.9 : .random(in: -179...179, using: &random)))
    }

    private func rounded(_ angle: Double) -> Double { (angle * 1e7).rounded() / 1e7 }

    private mutating func moment() -> Timestamp {
        Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random))
    }

    private mutating func word() -> String {
        Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
    }

    private mutating func maybe<T>(_ make: (inout RandomDocuments) -> T) -> T? {
        Bool.random(using: &random) ? make(&self) : nil
    }
}
