import PluginKit

/// `join RIGHT --on FIELD [--kind inner|left]`
struct JoinCommand: CommandProvider {
    private enum Kind: String, CaseIterable, Sendable {
        case inner, left

        var summary: String {
            switch self {
            case .inner: "only rows with a match"
            case .left: "all rows of the pipe; without a match the new fields are empty"
            }
        }
    }

    var name: String { "join" }

    var command: Command {
        Command(
            name, "join rows with other rows by a common field",
            details: """
                Each row of the pipe is combined with every row of RIGHT that has the same value; rows without a value \
                match nothing. A value that RIGHT has several times gives a row for each, which is said: sums of the fields of the pipe then count \
                them repeatedly. A field \
                that both sides have is renamed to rightName on the right. The rows of the pipe \
                are streamed, those of RIGHT are kept in memory.
                """,
            .positional("right", .value, "rows to join, such as $stops"),
            .option("on", .field, "common field"),
            .option("kind", .choice(of: Kind.self) { $0.summary }, default: "inner", "rows to keep"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "two tables", "$huts | join $valleys --on valley | select name parish",
                    after: [
                        DataCommands.huts,
                        "let valleys = '[{\"valley\":\"Madriu\",\"parish\":\"Encamp\"}]' | from json",
                    ],
                    gives: "name      parish\nIlla      Encamp\nPerafita  Encamp")
            ],
            searchTerms: [
                "left join", "match rows of two tables", "vlookup", "combine tables", "common column",
                "merge", "combine", "look up", "lookup", "match two tables",
            ]
        ) { input, context, right, field, kind in
            guard let name = field else {
                throw LanguageErrors.missingArgument(
                    "`join` requires a common field", fix: "join RIGHT --on FIELD")
            }
            let path = FieldPath(name, for: "on")
            let rows = try Rows(input, for: "join")
            try rows.require([path])
            let rightRows = try Rows(right, for: "join")
            try rightRows.require([path])
            let partners = try Partners(rightRows, path)
            let keepsAll = kind == .left
            let own = rows.columns
            var joined = rows.deriving(columns: own.map { $0 + partners.names(beside: $0) }) { source in
                var ready: ArraySlice<Value> = []
                var kinds = KeyKinds()
                var account = KeyAccount()
                let watch = FieldWatch(rows)
                return {
                    while ready.isEmpty {
                        try Interruption.check()
                        guard let row = try source.next() else {
                            try watch.finish([path].look)
                            try kinds.requireCommon(with: partners.kinds, field: path.text)
                            for note in account.notes(path.text, partners.texts) {
                                context.log.notice("\(note)")
                            }
                            return nil
                        }
                        let value = try path.value(in: row, watch)
                        kinds.take(value)
                        let key = try ValueKey(value)
                        account.take(value, key, partners: partners.count(of: key))
                        ready = partners.joined(row, key, columns: own, keepsAll: keepsAll)[...]
                    }
                    return ready.popFirst()
                }
            }
            joined.cut = rows.cut ?? partners.cut
            // The session adds that of the rows from the pipe.
            joined.note = rightRows.note
            return .rows(joined)
        }
    }
}

/// The kinds of values in the common field of one side.
private struct KeyKinds: Sendable {
    private var all: Set<String> = []
    /// That of the value before, which is mostly that of the next.
    private var last = ""

    mutating func take(_ value: Value) {
        if case .nothing = value { return }
        let kind =
            switch value {
            case .integer, .number: "number"
            // What stands in JSON as an object is compared with one of the program by its fields.
            case .record, .object: value.asNumber == nil ? "object" : "number"
            default: value.kindName
            }
        if kind == last { return }
        last = kind
        all.insert(kind)
    }

    /// Throws `E-DATA-MIXED` if both sides have values and no value of one can equal one of the other.
    func requireCommon(with right: KeyKinds, field: String) throws(RutterError) {
        let (left, right) = (all, right.all)
        guard !left.isEmpty, !right.isEmpty, left.isDisjoint(with: right) else { return }
        let (a, b) = (left.sorted().joined(separator: " or "), right.sorted().joined(separator: " or "))
        throw DataErrors.mixed(
            "`\(field)` is \(a) on the left and \(b) on the right: no row can match",
            at: .parameter("on"),
            fix: right.contains("text")
                ? "… | extend \(field)=text(\(field)) | join …"
                : "convert the rows of the right side: let right = … | extend \(field)=…")
    }
}

/// What is said of the keys of a join when all rows have been read.
private struct KeyAccount: Sendable {
    /// Keys that are looked at, at most.
    private static let most = 50_000

    /// Keys with several rows on the right, and how many rows of the left have them.
    private var repeated: [ValueKey: Int] = [:]
    private var firstRepeated: Value?
    /// Rows of the left with several on the right, and the value of the first.
    private var multiplied = 0
    private var firstMultiplied: Value?
    /// Texts without a row on the right.
    private var unmatched: [String] = []

    mutating func take(_ value: Value, _ key: ValueKey, partners: Int) {
        if partners > 1 {
            multiplied += 1
            firstMultiplied = firstMultiplied ?? value
        }
        if partners > 1, repeated.count < Self.most {
            let count = repeated[key, default: 0] + 1
            repeated[key] = count
            if count == 2, firstRepeated == nil { firstRepeated = value }
        }
        if partners == 0, case .text(let text) = value, unmatched.count < Self.most { unmatched.append(text) }
    }

    /// `texts` are the keys of the right side.
    func notes(_ field: String, _ texts: [String]) -> [String] {
        var notes: [String] = []
        if let firstRepeated {
            notes.append(
                "`\(field)` repeats on both sides, as \(ValueText.inline(firstRepeated)) does: there is a row for each pair"
            )
        } else if let firstMultiplied {
            notes.append(
                "`\(field)` repeats on the right, as \(ValueText.inline(firstMultiplied)) does: \(multiplied, of: "row") of the left \(multiplied == 1 ? "is" : "are") there several times, and count\(multiplied == 1 ? "s" : "") as often in sums"
            )
        }
        if unmatched.isEmpty { return notes }
        var right = LikeKeys()
        for text in texts { right.take(.text(text)) }
        var seen = Set<String>()
        let alike = unmatched.filter { seen.insert($0).inserted }.compactMap { text in
            right.like(text).map { (text, $0) }
        }
        if let (left, right) = alike.first {
            notes.append(
                "`\(field)` has \(alike.count, of: "value") without a match that \(alike.count == 1 ? "differs" : "differ") \(LikeKeys.difference(left, right)) from one on the right: \(LikeKeys.pair(left, right))"
            )
        }
        return notes
    }
}

/// The rows of the right side by their value in the common field.
private struct Partners: Sendable {
    private let path: FieldPath
    private let added: [String]
    /// Why rows of the right side are missing; `nil` if none are.
    let cut: Cut?
    private var byKey: [ValueKey: [Record]] = [:]
    /// Those of its values in the common field.
    let kinds: KeyKinds

    init(_ rows: Rows, _ path: FieldPath) throws {
        self.path = path
        cut = rows.cut
        var kinds = KeyKinds()
        var names = rows.columns ?? []
        var seen = Set(names)
        var found: [ValueKey: [Record]] = [:]
        var kept = 0
        let limit = RowLimit.current
        try rows.forEachWatched([path]) { row, watch in
            try limit.check(kept)
            kept += 1
            guard let record = row.asRecord else {
                throw DataErrors.notRows("`join` needs rows with fields on the right, not \(row.article)")
            }
            let value = try path.value(in: row, watch)
            kinds.take(value)
            let key = try ValueKey(value)
            if rows.columns == nil {
                for name in record.keys where seen.insert(name).inserted { names.append(name) }
            }
            if key != .nothing { found[key, default: []].append(record) }
        }
        byKey = found
        self.kinds = kinds
        added = names.filter { $0 != path.text }
    }

    /// How many rows of the right side have a value.
    func count(of key: ValueKey) -> Int { key == .nothing ? 0 : byKey[key]?.count ?? 0 }

    /// The texts in the common field, in the order of their letters.
    var texts: [String] {
        byKey.keys.compactMap { key in if case .text(let text) = key { text } else { nil } }.sorted()
    }

    /// The column names of the right side's fields.
    func names(beside left: [String]) -> [String] {
        var taken = Set(left)
        return added.map { name in
            var free = name
            while !taken.insert(free).inserted {
                free = "right" + free.prefix(1).uppercased() + free.dropFirst()
            }
            return free
        }
    }

    func joined(_ row: Value, _ key: ValueKey, columns: [String]?, keepsAll: Bool) -> [Value] {
        let own = columns ?? row.fieldNames ?? []
        let keys = own + names(beside: own)
        let values = own.map { row.field($0) ?? .nothing }
        let found = key == .nothing ? [] : byKey[key] ?? []
        if found.isEmpty { return keepsAll ? [.record(Record(keys: keys, values: values))] : [] }
        return found.map { partner in
            .record(Record(keys: keys, values: values + added.map { partner[$0] ?? .nothing }))
        }
    }
}
