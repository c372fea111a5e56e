import PluginKit

extension WalkScore {
    /// The columns of tables of scores.
    static let columns = ["run"] + fields.map(\.name)

    /// The counts and sums of a score, each with its name.
    private static let fields: [(name: String, value: @Sendable (WalkScore) -> Value)] = [
        ("falseArrivals", { .integer($0.falseArrivals) }),
        ("missedArrivals", { .integer($0.missedArrivals) }),
        ("prompts", { .integer($0.prompts) }),
        ("inPlace", { Value($0.shareInPlace) { .quantity(.share($0)) } }),
        ("early", { .integer($0.early) }),
        ("late", { .integer($0.late) }),
        ("missing", { .integer($0.missing) }),
        ("silences", { .integer($0.silences) }),
        ("falseOffRoute", { .integer($0.falseOffRoute) }),
        ("wrong", { .quantity(.seconds($0.secondsWrong.rounded())) }),
        ("excused", { .integer($0.excused) }),
        ("reroutes", { .integer($0.reroutes) }),
        ("viasMissed", { .integer($0.viasMissed) }),
    ]

    /// The score as a row, with or without a name.
    func record(named name: String?) -> Record {
        let values = Self.fields.map { ($0.name, $0.value(self)) }
        return Record((name.map { [("run", .text($0))] } ?? []) + values)
    }
}
