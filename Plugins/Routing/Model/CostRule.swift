import PluginKit

/// A preference of a cost profile, written as `when highway=primary and sidewalk=no: ×3`.
///
/// Conditions: `key=value`, `key=value|value`, `key!=…` (another value or none), `key=*` (any value), `key!=*` (none),
/// `key<N` and `key>N` for lengths in metres and slopes in percent, `key=?` (a value that is not understood),
/// joined by `and`. Effects, joined by commas: `×N` times the distance, `+Ns` seconds, `forbidden`, `warn`.
package struct CostRule: Sendable, Hashable {
    /// A condition on a tag.
    struct Condition: Sendable, Hashable {
        var key: String
        /// The values; empty for any.
        var values: [String]
        var isNegated: Bool
        /// What a measure is compared with.
        var comparison: Comparison?

        enum Comparison: Sendable, Hashable {
            case below(Double)
            case above(Double)
            /// The value is no measure, or none that is understood.
            case unknown
        }

        /// Whether one of several values, as in `sand;asphalt`, is listed.
        private func isListed(_ value: String) -> Bool {
            guard value.contains(";") else { return false }
            return value.split(separator: ";").contains {
                values.contains($0.trimmingPrefix(" ").description)
            }
        }

        func holds(_ kind: EdgeKind) -> Bool {
            if let comparison {
                guard let value = kind.value(key) else { return false }
                if comparison == .unknown, !CostRule.measured.contains(key) {
                    return !KnownValues.isUnderstood(value, of: key)
                }
                let measure = TagMeasures.value(value, of: key)
                return switch comparison {
                case .below(let limit): measure.map { $0 < limit } ?? false
                case .above(let limit): measure.map { $0 > limit } ?? false
                case .unknown: measure == nil
                }
            }
            guard let value = kind.value(key) else { return isNegated }
            return (values.isEmpty || values.contains(value) || isListed(value)) != isNegated
        }
    }

    /// The source text.
    package var text: String
    var conditions: [Condition]
    /// Keys with a fixed set of values: a rule on another value would never apply.
    private static let fixedValues: [String: [String]] = [
        "highway": WayRules.kept.sorted(), "sac_scale": SACScale.allCases.map(\.rawValue),
    ]
    /// Keys whose values are measures.
    private static let measured = [
        "depth", "est_width", "incline", "incline:across", "kerb:height", "maxwidth", "maxwidth:physical",
        "step_count", "width",
    ]
    /// Factor of the distance.
    var factor = 1.0
    /// Seconds for each edge.
    var seconds = 0.0
    var isForbidden = false
    /// Whether routes over such ways cause a warning.
    var warns = false

    /// Whether it applies to ways of a kind. If tags are unknown, only the columns are compared.
    func holds(_ kind: EdgeKind) -> Bool { conditions.allSatisfy { $0.holds(kind) } }

    /// The tags of a way by which the rule applies to it, in words for its reader: `ford=yes`, `highway=path, no surface`.
    func reason(_ kind: EdgeKind) -> String {
        var words: [String] = []
        for condition in conditions {
            let tag =
                kind.value(condition.key).map { "\(condition.key)=\($0)" } ?? Self.missing(condition.key)
            if !words.contains(tag) { words.append(tag) }
        }
        return words.joined(separator: ", ")
    }

    /// A tag that a way does not have. The speed of a ferry is no tag of the map: it is made from a duration that can be used.
    private static func missing(_ key: String) -> String {
        key == FerrySpeeds.key ? "speed unknown" : "no \(key)"
    }

    /// Rules of built-in profiles; a test parses each of them.
    static func all(_ texts: [String]) -> [CostRule] { texts.compactMap { try? CostRule($0) } }

    /// The reason why a text is not a rule.
    struct Fault: Error {
        var message: String
        var suggestion: String?
    }

    /// Parses a rule.
    package init(_ text: String) throws {
        self.text = text
        conditions = []
        let plain = text.trimmingPrefix("when ")
        guard text.hasPrefix("when "), let colon = plain.lastIndex(of: ":") else {
            throw Fault(message: "a rule has the form `when highway=primary: ×3`")
        }
        for word in plain[..<colon].split(separator: " ") where word != "and" {
            conditions.append(try Self.condition(String(word)))
        }
        guard !conditions.isEmpty else { throw Fault(message: "a rule has no condition") }
        var effects: Set<Character> = []
        for word in plain[plain.index(after: colon)...].split(separator: ",") {
            let effect = word.trimmingPrefix(" ").description
            try read(effect: effect)
            let kind = effect.first.map { $0 == "x" || $0 == "*" ? "×" : $0 } ?? " "
            guard effects.insert(kind).inserted else {
                throw Fault(message: "`\(effect)` repeats an effect of the rule")
            }
        }
        guard !effects.isEmpty else { throw Fault(message: "a rule has no effect") }
    }

    private static func condition(_ word: String) throws -> Condition {
        guard let equals = word.firstIndex(where: { "=<>".contains($0) }) else {
            throw Fault(message: "`\(word)` is not a condition such as `surface=mud`")
        }
        let isNegated = word[..<equals].hasSuffix("!")
        let key = String(word[..<equals].dropLast(isNegated ? 1 : 0))
        guard TagKeys.all.contains(key) else {
            throw Fault(
                message: "regions have no tag `\(key)`",
                suggestion: Suggestion.nearest(to: key, in: TagKeys.all))
        }
        let rest = word[word.index(after: equals)...]
        if word[equals] != "=" || rest == "?" {
            let isKnown = measured.contains(key) || rest == "?" && KnownValues.keys.contains(key)
            guard isKnown, !isNegated else {
                throw Fault(
                    message: "`\(key)` is no measure; measures are \(measured.joined(separator: ", "))")
            }
            var condition = Condition(key: key, values: [], isNegated: false, comparison: .unknown)
            guard word[equals] != "=" else { return condition }
            guard let limit = Double(rest), limit.isFinite else {
                throw Fault(message: "`\(word)` has no number, such as `width<0.8`")
            }
            condition.comparison = word[equals] == "<" ? .below(limit) : .above(limit)
            return condition
        }
        let values = rest.split(separator: "|").map(String.init)
        guard !values.isEmpty else { throw Fault(message: "`\(word)` has no value") }
        if let known = fixedValues[key], values != ["*"] {
            for value in values where !known.contains(value) {
                throw Fault(
                    message: "regions have no `\(key)=\(value)`",
                    suggestion: Suggestion.nearest(to: value, in: known))
            }
        }
        return Condition(key: key, values: values == ["*"] ? [] : values, isNegated: isNegated)
    }

    private mutating func read(effect: String) throws {
        switch effect {
        case "forbidden": isForbidden = true
        case "warn": warns = true
        case let word where word.hasPrefix("+") && word.hasSuffix("s"):
            guard let number = Double(word.dropFirst().dropLast()),
                RoutingSettings.ruleSeconds.contains(number)
            else {
                let most = Literal.number(RoutingSettings.ruleSeconds.upperBound)
                throw Fault(message: "`\(word)` is not a time from 0 to \(most) seconds, such as `+30s`")
            }
            seconds = number
        case let word where word.hasPrefix("×") || word.hasPrefix("x") || word.hasPrefix("*"):
            guard let number = Double(word.dropFirst()), RoutingSettings.factors.contains(number) else {
                let (least, most) = (RoutingSettings.factors.lowerBound, RoutingSettings.factors.upperBound)
                throw Fault(
                    message: "`\(word)` is not a factor from \(Literal.number(least)) to "
                        + "\(Literal.number(most)), such as `×1.5`")
            }
            factor = number
        default:
            throw Fault(message: "`\(effect)` is not an effect: ×1.5, +30s, forbidden or warn")
        }
    }
}
