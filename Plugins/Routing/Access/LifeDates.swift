import CivilTime

/// From which day, and until which, an object is there.
///
/// Source: OpenStreetMap wiki, "Key:start_date", "Key:opening_date", "Key:end_date".
struct LifeDates: Sendable, Hashable {
    /// Of one that is mapped, it is taken for granted that it is there unless the date is in the future.
    private static let start = "start_date"
    private static let opening = "opening_date"
    private static let end = "end_date"
    static let starts = [start, opening]
    static let keys = starts + [end]

    enum State: Sendable, Hashable {
        case there
        /// With the tag that says so.
        case notYet(String)
        case gone(String)
        /// The tag does not say on which day, or the day is not known.
        case unknown(String)
    }

    private let texts: [String?]

    init(_ value: (String) -> String?) { texts = Self.keys.map(value) }

    /// Whether a date of a start is past, so that it says nothing any more. Without a day each is.
    static func hasBegun(_ key: String, _ text: String, on day: CivilDate?) -> Bool {
        guard let day else { return true }
        guard let date = MapDate(text) else { return key == start }
        return (key == start ? date.first : date.last) <= day
    }

    func state(on day: CivilDate?) -> State {
        var doubt: String?
        for (key, text) in zip(Self.keys, texts) {
            guard let text else { continue }
            let tag = "\(key)=\(text)"
            guard let day, let date = MapDate(text) else {
                doubt = doubt ?? tag
                continue
            }
            if key == Self.end {
                if day > date.last { return .gone(tag) }
                if day > date.first { doubt = doubt ?? tag }
            } else {
                if day < date.first { return .notYet(tag) }
                if key == Self.opening, day < date.last { doubt = doubt ?? tag }
            }
        }
        return doubt.map(State.unknown) ?? .there
    }
}
