/// Findings that say the same of many rows: one cause, as after an import or by a writer that has it wrong everywhere.
struct FindingCause: Sendable {
    /// The findings, in order; the first stands for all in what they have in common.
    let findings: [Finding]
    /// Further findings that were counted but not kept.
    var dropped = 0

    /// Number of findings.
    var count: Int { findings.count + dropped }

    /// What findings of one cause have in common: kind, table, and the text without its values.
    private struct Key: Hashable {
        let code: String
        let table: String?
        let words: String
    }

    /// Groups findings in the order of the first of each cause; only many of a cause become one.
    static func causes(_ outcome: CheckOutcome) -> [FindingCause] {
        let keys = outcome.findings.map {
            // What SQLite says of pages has its numbers in the text.
            let isOfPages = $0.kind.code == SQLiteFindings.integrity.code
            return Key(
                code: $0.kind.code, table: $0.table,
                words: $0.row == nil && !isOfPages ? $0.what : words($0.what))
        }
        var numbers: [Key: [Int]] = [:]
        for (index, key) in keys.enumerated() { numbers[key, default: []].append(index) }
        var byCode: [String: Int] = [:]
        for key in numbers.keys { byCode[key.code, default: 0] += 1 }
        var causes: [FindingCause] = []
        for (index, key) in keys.enumerated() {
            let members = numbers[key] ?? []
            if members.count < CheckSettings.findingsOfACause {
                causes.append(FindingCause(findings: [outcome.findings[index]]))
            } else if members.first == index {
                // What was not kept is of this cause if all that was kept is.
                let dropped = byCode[key.code] == 1 ? outcome.dropped[key.code] ?? 0 : 0
                causes.append(FindingCause(findings: members.map { outcome.findings[$0] }, dropped: dropped))
            }
        }
        return causes
    }

    /// A text with a mark in place of each number and each quoted value.
    private static func words(_ text: String) -> String {
        var words = ""
        var isQuoted = false
        for character in text {
            if character == "'" {
                isQuoted.toggle()
                if isQuoted { words.append("'") }
            } else if !isQuoted {
                if character.isNumber {
                    if words.last != "0" { words.append("0") }
                } else if character != "." && character != "-" {
                    words.append(character)
                }
            }
        }
        return words
    }

    /// What is wrong: for several rows with their number and a few examples.
    var what: String {
        let first = findings[0]
        guard count > 1 else { return first.what }
        if first.row == nil {
            let some = findings.prefix(CheckSettings.examplesOfACause).map(\.what)
            let isOneText = Set(some).count == 1
            return "\(count) times\(isOneText ? "" : ", such as"): "
                + (isOneText ? first.what : some.joined(separator: "; "))
        }
        return "\(count, of: "row"), such as \(rows): \(first.what)"
    }

    /// A few of the rows.
    var rows: String {
        let some = findings.prefix(CheckSettings.examplesOfACause).compactMap(\.row).map(String.init)
        return some.joined(separator: ", ")
    }
}
