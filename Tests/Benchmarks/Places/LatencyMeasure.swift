import Foundation
import GRDB
import Geodesy
import PluginKit

/// The duration of each keystroke over 200,000 names, compared with SQLite's FTS5 over the same names.
struct LatencyMeasure {
    let isQuick: Bool
    private static let count = 200_000
    private static let near = Coordinate(latitude: 46.5, longitude: 7.5)

    func run() throws {
        var random = Xoshiro256(seed: 11)
        let entries = (0..<Self.count).map { Self.entry($0, &random) }
        let ((index, order), building) = timed { PlaceIndex.build(entries, check: {}) }
        let data = PlaceIndexFile.data(index, stamp: 1)
        let (_, reading) = timed { _ = PlaceIndexFile.index(data, stamp: 1) }
        let names = entries.reduce(0) { $0 + $1.name.utf8.count }
        print(
            "\(Self.count) invented names, \(names >> 10) KiB: index built in \(ms(building)), \(data.count >> 10) KiB "
                + "(\(ratio(Double(data.count) / Double(names))) of the names), read in \(ms(reading))")
        let (fts, making) = try timed { try FullText(entries) }
        print("FTS5 alone: built in \(ms(making)), \(try fts.bytes() >> 10) KiB")
        let samples = (0..<(isQuick ? 50 : 400)).map { _ in
            entries[Int.random(in: 0..<Self.count, using: &random)].name
        }
        let typed = samples.flatMap { name in (1...min(14, name.count)).map { String(name.prefix($0)) } }
        let wrong = samples.compactMap { name in
            Mistake.allCases.randomElement(using: &random)?.applied(to: name, &random)
        }
        let mistyped = wrong.flatMap { name in (3...max(3, name.count)).map { String(name.prefix($0)) } }
        func search(_ text: String, near: Coordinate?, radius: Double? = nil) -> [PlaceMatch] {
            index.matches(PlaceQuery(PlaceWords(text), near: near, radius: radius, limit: 10)) { number in
                let entry = entries[order[number]]
                return NamedPlace(
                    name: entry.name, kind: entry.kind, source: "s", coordinate: entry.coordinate,
                    rank: entry.rank)
            }
        }
        report("incremental", typed.map { text in Lap { search(text, near: nil) } })
        report("incremental with errors", mistyped.map { text in Lap { search(text, near: nil) } })
        report("near a coordinate", typed.map { text in Lap { search(text, near: Self.near) } })
        report("within 20 km", typed.map { text in Lap { search(text, near: Self.near, radius: 20_000) } })
        report("FTS5 alone, incremental", try typed.map { text in try Lap { try fts.search(text) } })
        report(
            "FTS5 alone, incremental with errors",
            try mistyped.map { text in try Lap { try fts.search(text) } })
        func recall(_ texts: [(String, String)], _ search: (String) throws -> [String]) rethrows -> String {
            let found = try texts.count { try search($0.0).prefix(5).contains($0.1) }
            return "\(found) of \(texts.count)"
        }
        let exact = samples.map { ($0, $0) }
        let mistakes = samples.compactMap { name in
            Mistake.allCases.randomElement(using: &random)?.applied(to: name, &random).map { ($0, name) }
        }
        print(
            "  whole names: \(recall(exact) { search($0, near: nil).map(\.name) }), FTS5 \(try recall(exact, fts.search)); "
                + "with an error: \(recall(mistakes) { search($0, near: nil).map(\.name) }), "
                + "FTS5 \(try recall(mistakes, fts.search))")
    }

    /// The duration of a search by the clock and of the processor; the first is longer on a busy machine.
    private struct Lap {
        let elapsed: Double
        let computed: Double

        init<T>(_ search: () throws -> T) rethrows {
            let before = Self.threadSeconds()
            elapsed = try timed { _ = try search() }.1
            computed = Self.threadSeconds() - before
        }

        private static func threadSeconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    private func report(_ words: String, _ laps: [Lap]) {
        func figures(_ all: [Double]) -> String {
            let seconds = all.sorted()
            return "median \(ms(seconds[seconds.count / 2])), p99 \(ms(seconds[seconds.count * 99 / 100])), "
                + "longest \(ms(seconds.last ?? 0))"
        }
        print(
            "  \(words), \(laps.count) searches: \(figures(laps.map(\.elapsed))); "
                + "processor time: \(figures(laps.map(\.computed)))")
    }

    private static let syllables = [
        "al", "pe", "mün", "ster", "berg", "sant", "a", "vall", "küh", "roc", "lä", "nord", "stein", "bach",
        "wil", "dorf", "mont", "col", "pic", "ser", "ra", "hütte", "chalet", "via", "ober", "unter", "gries",
        "see", "wald", "egg",
    ]

    private static func entry(_ number: Int, _ random: inout Xoshiro256) -> PlaceIndex.Entry {
        let words = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                syllables[Int.random(in: 0..<syllables.count, using: &random)]
            }.joined().capitalized
        }
        return PlaceIndex.Entry(
            name: words.joined(separator: " "), kind: "kind", rank: number % 8,
            coordinate: Coordinate(
                latitude: Double.random(in: 45...48, using: &random),
                longitude: Double.random(in: 6...10, using: &random)))
    }
}

/// SQLite's full-text table with its own folding of accents and prefixes, as a baseline.
private struct FullText {
    private let queue: DatabaseQueue

    init(_ entries: [PlaceIndex.Entry]) throws {
        queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE names USING fts5(
                      name, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')
                    """)
            let insert = try db.makeStatement(sql: "INSERT INTO names VALUES (?)")
            for entry in entries { try insert.execute(arguments: [entry.name]) }
        }
    }

    func bytes() throws -> Int {
        try queue.read { db in
            try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
                * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
    }

    func search(_ text: String) throws -> [String] {
        let words = PlaceWords(text).texts.map { "\"\($0)\" *" }.joined(separator: " AND ")
        guard !words.isEmpty else { return [] }
        return try queue.read { db in
            try String.fetchAll(
                try db.cachedStatement(
                    sql: "SELECT name FROM names WHERE names MATCH ? ORDER BY rank LIMIT 10"),
                arguments: [words])
        }
    }
}
