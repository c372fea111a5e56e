import Foundation
import GRDB
import Geodesy
import PluginKit

/// Finds names in the tables of `PlaceNameTable`, fast enough to be asked with every letter.
///
/// Not all matches of a letter are looked at, only so many of each kind: whole names and their beginnings, those that
/// matter most of all that have the words, and all around the place that was given as near. So the best are among them,
/// while the time does not grow with the number of names.
public struct PlaceNameSearch {
    /// Candidates of each kind that are looked at.
    private enum Limits {
        static let beginnings = 200
        static let words = 400
        /// Names around a place that are looked at one by one; of more, a smaller box, or the words.
        static let around = 2000
        /// Degrees to each side of a place that is only a hint, at first; halved until few enough names lie inside.
        static let hint = 0.25
        static let halvings = 6
    }

    private let db: Database
    private let query: PlaceQuery
    private let source: String

    /// A search in a database, whose matches come from `source`.
    public init(_ query: PlaceQuery, in db: Database, source: String) {
        self.query = query
        self.db = db
        self.source = source
    }

    /// The matches, best first.
    public func places() throws -> [NamedPlace] {
        var found: [Int64: PlaceMatch] = [:]
        if let near = query.near, let radius = query.radius {
            try addInside(BoundingBox(center: near, radius: radius), isFilter: true, to: &found)
        } else {
            try add(
                Self.selectBeginnings,
                [query.words.text, query.words.text + "\u{10FFFF}", Limits.beginnings],
                to: &found)
            try add(Self.selectWords, [expression, Limits.words], to: &found)
            if let near = query.near { try addAround(near, to: &found) }
        }
        return query.best(Array(found.values)).map(\.place)
    }

    /// The words as FTS5 wants them: each in quotes, as the beginning of a word. They hold only letters and digits.
    private var expression: String { query.words.texts.map { "\"\($0)\" *" }.joined(separator: " AND ") }

    private func addAround(_ near: Coordinate, to found: inout [Int64: PlaceMatch]) throws {
        var reach = Limits.hint
        for _ in 0..<Limits.halvings {
            let box = BoundingBox(
                south: near.latitude - reach, west: Angle.longitude(near.longitude - reach),
                north: near.latitude + reach, east: Angle.longitude(near.longitude + reach))
            if try isSmall(box) { return try addInside(box, isFilter: false, to: &found) }
            reach /= 2
        }
    }

    /// Whether few enough names lie in a box to look at each.
    private func isSmall(_ box: BoundingBox) throws -> Bool {
        var count = 0
        for range in box.longitudeRanges {
            count +=
                try Int.fetchOne(
                    try db.cachedStatement(sql: Self.countInside),
                    arguments: [box.south, box.north, range.lowerBound, range.upperBound, Limits.around + 1])
                ?? 0
        }
        return count <= Limits.around
    }

    private func addInside(
        _ box: BoundingBox, isFilter: Bool, to found: inout [Int64: PlaceMatch]
    ) throws {
        let isSmall = try isFilter ? isSmall(box) : true
        for range in box.longitudeRanges {
            let edges: [any DatabaseValueConvertible] = [
                box.south, box.north, range.lowerBound, range.upperBound,
            ]
            if isSmall {
                try add(Self.selectInside, StatementArguments(edges), to: &found)
            } else {
                try add(
                    Self.selectWordsInside, StatementArguments([expression] + edges + [Limits.words]),
                    to: &found)
            }
        }
    }

    private func add(
        _ sql: String, _ arguments: StatementArguments, to found: inout [Int64: PlaceMatch]
    ) throws {
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
        while let row = try rows.next() {
            let id: Int64 = row[0]
            guard found[id] == nil else { continue }
            let folded: String = row[6]
            let place = NamedPlace(
                name: row[1], kind: row[2], source: source,
                coordinate: Coordinate(latitude: row[4], longitude: row[5]), rank: row[3])
            if let match = query.match(place, folded: folded.utf8) {
                found[id] = match
            } else if query.radius == nil, sql == Self.selectWords,
                let match = Self.byOtherName(place, query)
            {
                found[id] = match
            }
        }
    }

    /// A match by one of a place's other names, which stand in the full-text table alone.
    private static func byOtherName(_ place: NamedPlace, _ query: PlaceQuery) -> PlaceMatch? {
        PlaceMatch(
            place: place, score: otherNameScore,
            distance: query.near.map { $0.distance(to: place.coordinate) })
    }

    /// What a match by another name counts: below most by the name itself.
    private static let otherNameScore = 0.4

    private static let columns = "n.id, n.name, n.kind, n.rank, n.latitude, n.longitude, n.folded"
    private static let selectBeginnings = """
        SELECT \(columns) FROM rutter_names n WHERE n.folded >= ? AND n.folded < ? ORDER BY n.folded LIMIT ?
        """
    private static let selectWords = """
        SELECT \(columns) FROM
          (SELECT rowid FROM rutter_names_words WHERE rutter_names_words MATCH ? ORDER BY rowid LIMIT ?) w
          JOIN rutter_names n ON n.id = w.rowid
        """
    private static let selectInside = """
        SELECT \(columns) FROM rutter_names_places p JOIN rutter_names n ON n.id = p.id
        WHERE p.north >= ? AND p.south <= ? AND p.east >= ? AND p.west <= ?
        """
    private static let selectWordsInside = """
        SELECT \(columns) FROM rutter_names_words w CROSS JOIN rutter_names n ON n.id = w.rowid
        WHERE w.rutter_names_words MATCH ? AND n.latitude BETWEEN ? AND ? AND n.longitude BETWEEN ? AND ?
        ORDER BY w.rowid LIMIT ?
        """
    private static let countInside = """
        SELECT count(*) FROM (SELECT 1 FROM rutter_names_places p
        WHERE p.north >= ?1 AND p.south <= ?2 AND p.east >= ?3 AND p.west <= ?4 LIMIT ?5)
        """
}
