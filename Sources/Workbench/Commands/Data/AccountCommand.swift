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
                whole items. The account is kept with hikes, feeds and regions, and that of each imported source in the workspace: \
                without an input, the newest 500 are listed, and `account | last | account` is what the last one left out. \
                Rows of a store, a GeoPackage, contacts and photos have one, too. What was imported before accounts were kept, \
                or drawn in an app, has none.
                """,
            input: .optional(.any), output: .any, effect: .reads,
            examples: [
                .init(
                    "of a file", "import walk.gpx | account | first 3 | get count",
                    after: [
                        "'<gpx><trk><trkseg><trkpt lat=\"46.5\" lon=\"187\"/><trkpt lat=\"46.5\" lon=\"7\"/>"
                            + "<trkpt lat=\"46.6\" lon=\"7\"/></trkseg></trk></gpx>' | save walk.gpx"
                    ], gives: "3\n2\n1"),
                .init(
                    "of the last import", "account | last | get words",
                    after: [
                        "'<gpx><wpt lat=\"46.5\" lon=\"7\"/><wpt lat=\"96\" lon=\"7\"/></gpx>' | save pins.gpx",
                        "import pins.gpx",
                    ], gives: "2 points: 1 used, 1 left out (without a position and a time)"),
            ],
            searchTerms: [
                "what was imported", "what did i import", "why were points dropped",
                "skipped", "left out", "repaired", "dropped", "what was lost", "import report",
                "last import", "import history",
            ]
        ) { input, context in
            if case .nothing = input, !PipelineInput.isPiped { return try Self.kept(context) }
            let own = input.asRows?.account.map(AccountObject.init)
            let items = try input.items()
            let accounts = items.map(Self.account)
            guard own != nil || accounts.contains(where: { $0 != nil }) else {
                throw CommonErrors.inputKind(
                    "`account` takes what was imported and has an account, not \(input.article)",
                    fix:
                        "pass the result of an import, a hike, a feed or a region, such as: hike show NAME | account"
                )
            }
            var rows = try own?.table.collect() ?? []
            // Items without one are said beside others that have one.
            guard accounts.contains(where: { $0 != nil }) else {
                return .table(columns: AccountObject.columns, rows: rows)
            }
            let isNamed = items.count > 1 || own != nil
            if own != nil { rows = rows.map { Self.named($0, as: "the rows") } }
            for (item, account) in zip(items, accounts) {
                let own = try account?.table.collect() ?? [Self.missing]
                rows += isNamed ? own.map { Self.named($0, as: Self.name(of: item)) } : own
            }
            return .table(columns: (isNamed ? ["of"] : []) + AccountObject.columns, rows: rows)
        }
    }

    /// The imports whose accounts the workspace keeps, oldest first.
    private static func kept(_ context: Context) throws -> Value {
        let columns = ["time", "command", "source", "words"]
        return .table(
            columns: columns,
            rows: try AccountLog(in: context.workspace).entries().map { entry in
                let values: [Value] = [
                    Value(entry.moment) { .date($0) }, .text(entry.command), .text(entry.account.source),
                    .text(AccountObject(entry.account).summary), .object(AccountObject(entry.account)),
                ]
                return .record(Record(keys: columns + ["account"], values: values))
            })
    }

    /// The row of an item that has no account, beside others that have one.
    private static let missing = Value.record(
        Record(
            keys: AccountObject.columns,
            values: [.nothing, .text("no account"), .nothing, .nothing, .nothing]))

    /// A row with the name of its item.
    private static func named(_ row: Value, as name: String) -> Value {
        guard case .record(let record) = row else { return row }
        return .record(
            Record([("of", .text(name))] + Array(zip(record.keys, record.values))))
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
