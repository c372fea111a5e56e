import CivilTime

/// Kinds of objects with the dates of their begin and end, as regions keep them: `bakery from 2027-05`, `pub until 2019`.
enum DatedKinds {
    private static let from = " from "
    private static let until = " until "

    /// A kind with the dates of an object.
    static func dated(_ kind: String, _ value: (String) -> String?) -> String {
        var kind = kind
        if let start = value("opening_date") ?? value("start_date") { kind += from + start }
        if let end = value("end_date") { kind += until + end }
        return kind
    }

    /// A kind without its dates.
    static func base(_ kind: String) -> String { parts(kind).base }

    /// The kind without its dates; `nil` where they say that there is no such object yet, or no more.
    static func present(_ kind: String, on day: CivilDate) -> String? {
        let (base, dates) = parts(kind)
        guard let dates else { return base }
        switch dates.state(on: day) {
        case .there, .unknown: return base
        case .notYet, .gone: return nil
        }
    }

    private static func parts(_ kind: String) -> (base: String, dates: LifeDates?) {
        var (base, texts): (Substring, [String: String]) = (kind[...], [:])
        for (word, key) in [(until, "end_date"), (from, "opening_date")] {
            guard let found = base.firstRange(of: word) else { continue }
            texts[key] = String(base[found.upperBound...])
            base = base[..<found.lowerBound]
        }
        return (String(base), texts.isEmpty ? nil : LifeDates { texts[$0] })
    }
}
