import Foundation
import GRDB
import PluginKit
import TrailStores

/// Full-text search for stops by name.
extension Feed {
    /// The stops whose names have words with the prefixes in a text, best match first.
    ///
    /// Classes of match: the whole name; a name that begins with the whole words; a name that begins with the text; a
    /// name that has the words anywhere. Within a class the stop with most patterns comes first; a station never has
    /// fewer than its platforms.
    package func search(_ text: String, limit: Int) throws -> [StopRecord] {
        let words = Self.words(text)
        guard !words.isEmpty else { return [] }
        return try read { db in
            let fetch = try StopFetch(db, layout)
            let folded = Self.folded(words.joined(separator: " "))
            var found: [(stop: StopRecord, rank: Int)] = []
            var seen: Set<Int64> = []
            for (rank, query) in Self.queries(words).enumerated() {
                // Later classes cannot improve the result.
                if rank > 1, found.count >= limit { break }
                for number in try match(query, db) where seen.insert(number).inserted {
                    guard let stop = try fetch.stop(number) else { continue }
                    let isWhole = Self.folded(Self.words(stop.name).joined(separator: " ")) == folded
                    found.append((stop, isWhole ? -1 : rank))
                }
            }
            // Within a class the order of the query is kept.
            let order = found.indices.sorted { left, right in
                found[left].rank == found[right].rank ? left < right : found[left].rank < found[right].rank
            }
            return Array(Self.stationsFirst(order.map { found[$0].stop }).prefix(limit))
        }
    }

    /// Queries of FTS5 for the classes of match, the narrowest first.
    private static func queries(_ words: [String]) -> [String] {
        let phrase = words.joined(separator: " ")
        let anywhere = words.map { "name : \"\($0)\" *" }.joined(separator: " AND ")
        return ["name : ^ \"\(phrase)\"", "name : ^ \"\(phrase)\" *", anywhere]
    }

    private func match(_ query: String, _ db: Database) throws -> [Int64] {
        // In files that we wrote rows are in order of importance, so the first are the best.
        let sql =
            layout.searchIsRanked
            ? "SELECT rowid FROM \(layout.search) WHERE \(Self.table(layout.search)) MATCH ? LIMIT ?"
            : "SELECT sid FROM \(layout.search) WHERE \(Self.table(layout.search)) MATCH ? ORDER BY rank, sid LIMIT ?"
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

    /// Moves a station before the first of its platforms if it follows it.
    private static func stationsFirst(_ stops: [StopRecord]) -> [StopRecord] {
        var ordered: [StopRecord] = []
        var placed: Set<String> = []
        let byID = Dictionary(stops.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        func place(_ stop: StopRecord, depth: Int) {
            guard !placed.contains(stop.id) else { return }
            if depth > 0, let parent = stop.parent.flatMap({ byID[$0] }) { place(parent, depth: depth - 1) }
            if placed.insert(stop.id).inserted { ordered.append(stop) }
        }
        for stop in stops { place(stop, depth: 2) }
        return ordered
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

    /// A text without case and accents, for comparison.
    static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

extension Feed {
    /// The stops that come first in a list of all.
    package func foremost(_ limit: Int) throws -> [StopRecord] {
        try read { db in
            let rows = try RawStatement(db, "SELECT sid FROM stops ORDER BY sid LIMIT ?", isCached: true)
            rows.bind(1, Int64(limit))
            let fetch = try StopFetch(db, layout)
            var stops: [StopRecord] = []
            while try rows.next() {
                if let stop = try fetch.stop(rows.integer(0)) { stops.append(stop) }
            }
            return stops
        }
    }
}
