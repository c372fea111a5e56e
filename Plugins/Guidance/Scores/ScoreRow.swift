import PluginKit

extension WalkScore {
    /// The columns of tables of scores.
    static let columns = [
        "run", "falseArrivals", "missedArrivals", "prompts", "inPlace", "early", "late", "missing",
        "silences",
        "falseOffRoute", "wrong", "excused", "reroutes", "viasMissed",
    ]

    /// The score as a row, with or without a name.
    func record(named name: String?) -> Record {
        let values: [Value] = [
            .integer(falseArrivals), .integer(missedArrivals), .integer(prompts),
            Value(shareInPlace) { .quantity(.share($0)) }, .integer(early), .integer(late), .integer(missing),
            .integer(silences), .integer(falseOffRoute), .quantity(.seconds(secondsWrong.rounded())),
            .integer(excused), .integer(reroutes), .integer(viasMissed),
        ]
        guard let name else { return Record(keys: Array(Self.columns.dropFirst()), values: values) }
        return Record(keys: Self.columns, values: [.text(name)] + values)
    }
}
