import Foundation
import GRDB
import PluginKit
import TrailStores

/// The stops that a search found.
package struct FoundNames: Sendable {
    /// The stops, best match first.
    package var stops: [StopRecord]
    /// Whether no name matches, and the results are only similar.
    var areSimilar = false
    /// Whether more stops match.
    var isCut = false
}

/// Search for stops by name and code.
package struct StopNames {
    let feed: Feed

    /// The stops whose names have words with the prefixes in a text, best match first.
    ///
    /// Classes of match: the code or identifier; the whole name; a name that begins with the whole words; a
    /// name that begins with the text; a name that has the words anywhere. Within a class the stop with
    /// most patterns comes first; a station never has fewer than its platforms. Abbreviations and `ss` for
    /// `ß` match both ways (`NameWords`). If no name matches, names in other scripts are searched, then
    /// similar ones (`SimilarNames`).
    package func search(_ text: String, limit: Int) throws -> [StopRecord] {
        try find(text, limit: limit).stops
    }

    /// The same with notes about the result.
    package func find(_ text: String, limit: Int) throws -> FoundNames {
        let words = Self.words(text)
        guard !words.isEmpty else { return FoundNames(stops: []) }
        var stops = try coded(text) + byName(words, limit: limit + 1)
        var isSimilar = false
        if stops.isEmpty {
            let close = try feed.similarNames.find(PlaceWords(text), limit: limit + 1)
            isSimilar = close.areSimilar
            stops = try feed.stops.rows(close.numbers)
        }
        var seen: Set<Int64> = []
        stops = stops.filter { seen.insert($0.number).inserted }
        return FoundNames(
            stops: Array(stops.prefix(limit)), areSimilar: isSimilar, isCut: stops.count > limit)
    }

    /// The stops with a code or identifier.
    func coded(_ text: String) throws -> [StopRecord] {
        let code = text.trimmingCharacters(in: .whitespaces)
        let hasCodes = feed.layout.stopColumns.contains("s.stop_code")
        var found: [StopRecord] = []
        if hasCodes, !code.isEmpty {
            let numbers = try feed.read { db in
                let rows = try RawStatement(
                    db, "SELECT sid FROM stops WHERE stop_code = ? COLLATE NOCASE ORDER BY sid LIMIT ?",
                    isCached: true)
                rows.bind(1, code)
                rows.bind(2, Int64(TransitSettings.searchPool))
                var numbers: [Int64] = []
                while try rows.next() { numbers.append(rows.integer(0)) }
                return numbers
            }
            found = try feed.stops.rows(numbers)
        }
        if let stop = try feed.stops.with(id: code) { found.append(stop) }
        return found
    }

    private func byName(_ words: [String], limit: Int) throws -> [StopRecord] {
        try feed.read { db in
            let fetch = try StopFetch(db, feed.layout)
            let folded = NameWords.folded(words.joined(separator: " "))
            var found: [(stop: StopRecord, rank: Int)] = []
            // Parts of stations have no departures: they are found by name only if nothing else is.
            var parts: [(stop: StopRecord, rank: Int)] = []
            var seen: Set<Int64> = []
            for (rank, query) in Self.queries(words).enumerated() {
                // Later classes cannot improve the result.
                if rank > 1, found.count >= limit { break }
                for number in try match(query, db) where seen.insert(number).inserted {
                    guard let stop = try fetch.stop(number) else { continue }
                    let isWhole = NameWords.folded(Self.words(stop.name).joined(separator: " ")) == folded
                    if stop.kind.isOnMaps {
                        found.append((stop, isWhole ? -1 : rank))
                    } else {
                        parts.append((stop, isWhole ? -1 : rank))
                    }
                }
            }
            if found.isEmpty { found = parts }
            // Within a class the order of the query is kept.
            let order = found.indices.sorted { left, right in
                found[left].rank == found[right].rank ? left < right : found[left].rank < found[right].rank
            }
            return Self.stationsFirst(order.map { found[$0].stop })
        }
    }

    /// Queries of FTS5 for the classes of match, the narrowest first.
    private static func queries(_ words: [String]) -> [String] {
        let phrases = NameWords.phrases(words)
        let exact = phrases.map { "name : ^ \"\($0)\"" }.joined(separator: " OR ")
        let begun = phrases.map { "name : ^ \"\($0)\" *" }.joined(separator: " OR ")
        let anywhere = words.map { word in
            "(" + NameWords.forms(word).map { "name : \"\($0)\" *" }.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
        return [exact, begun, anywhere]
    }

    private func match(_ query: String, _ db: Database) throws -> [Int64] {
        // In files that Rutter wrote, rows are in order of importance, so the first are the best.
        let sql =
            feed.layout.searchIsRanked
            ? "SELECT rowid FROM \(feed.layout.search) WHERE \(Self.table(feed.layout.search)) MATCH ? LIMIT ?"
            : "SELECT sid FROM \(feed.layout.search) WHERE \(Self.table(feed.layout.search)) MATCH ? ORDER BY rank, sid LIMIT ?"
        let statement = try RawStatement(db, sql, isCached: true)
        statement.bind(1, query)
        statement.bind(2, Int64(TransitSettings.searchPool))
        var numbers: [Int64] = []
        while try statement.next() { numbers.append(statement.integer(0)) }
        return numbers
    }

    /// The name of a table for MATCH: without its schema.
    private static func table(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    /// Moves the platforms of stations that are found as well behind all others.
    private static func stationsFirst(_ stops: [StopRecord]) -> [StopRecord] {
        let known = Set(stops.map(\.id))
        func isPlatform(_ stop: StopRecord) -> Bool { stop.parent.map(known.contains) ?? false }
        return stops.filter { !isPlatform($0) } + stops.filter(isPlatform)
    }

    /// The words of a text as FTS5 separates them: letters, digits and marks.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
            let isPart: Bool =
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                    .decimalNumber, .letterNumber, .otherNumber, .privateUse:
                    true
                case .nonspacingMark, .spacingMark: !word.isEmpty
                default: false
                }
            if isPart {
                word.append(scalar)
            } else if !word.isEmpty {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return Array(words.prefix(TransitSettings.searchWords))
    }
}
