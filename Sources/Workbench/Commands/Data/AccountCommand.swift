import PluginKit

/// `… | account`
struct AccountCommand: CommandProvider {
    var name: String { "account" }

    var command: Command {
        Command(
            name, "show what became of the items of a source",
            details: """
                Of what was imported, or of the result of an import: a row for each kind of item (points, lines of a table, ways) and \
                what became of it. What was seen is the sum of what was used as it stood, kept though a part is missing, repaired, \
                set aside as of no use, and of an unknown kind. Remarks follow: what is doubtful, was changed or left out beside \
                whole items. The account is kept with hikes, feeds and regions. What was imported before accounts were kept, or drawn \
                in an app, has none.
                """,
            input: .any, output: .any, effect: .pure,
            examples: [
                .init(
                    "of a file", "import walk.gpx | account | first 3 | get count",
                    after: [
                        "'<gpx><trk><trkseg><trkpt lat=\"46.5\" lon=\"187\"/><trkpt lat=\"46.5\" lon=\"7\"/>"
                            + "<trkpt lat=\"46.6\" lon=\"7\"/></trkseg></trk></gpx>' | save walk.gpx"
                    ], gives: "3\n2\n1")
            ],
            searchTerms: ["skipped", "left out", "repaired", "dropped", "what was lost", "import report"]
        ) { input, _ in
            let items = try input.items()
            let accounts = items.map(Self.account)
            guard accounts.contains(where: { $0 != nil }) else {
                throw CommonErrors.inputKind(
                    "`account` takes what was imported and has an account, not \(input.article)",
                    fix:
                        "pass the result of an import, a hike, a feed or a region, such as: hike show NAME | account"
                )
            }
            var rows: [Value] = []
            for (item, account) in zip(items, accounts) {
                let own = try account?.table.collect() ?? [Self.missing]
                rows += items.count > 1 ? own.map { Self.named($0, by: item) } : own
            }
            return .table(columns: (items.count > 1 ? ["of"] : []) + AccountObject.columns, rows: rows)
        }
    }

    /// The row of an item that has no account, beside others that have one.
    private static let missing = Value.record(
        Record(
            keys: AccountObject.columns,
            values: [.nothing, .text("no account"), .nothing, .nothing, .nothing]))

    /// A row with the name of its item.
    private static func named(_ row: Value, by item: Value) -> Value {
        guard case .record(let record) = row else { return row }
        return .record(
            Record([("of", .text(name(of: item)))] + Array(zip(record.keys, record.values))))
    }

    /// What an item is called.
    private static func name(of item: Value) -> String {
        switch item {
        case .object(let object): return object.summary
        default:
            if case .text(let name)? = item.field("name") { return name }
            return ""
        }
    }

    /// The account in the field of that name.
    private static func account(of value: Value) -> AccountObject? {
        if let account = value.object(as: AccountObject.self) { return account }
        return value.field("account")?.object(as: AccountObject.self)
    }
}
